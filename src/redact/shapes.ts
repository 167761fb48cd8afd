import { passOver } from './scan-state.ts';
import { address, bareAddress } from './addresses.ts';
import { maskPem } from './pem.ts';
import { scan } from './scan.ts';

/** Masks secrets that have a known shape: private keys, tokens of known issuers, passwords in addresses, bearer tokens. */
export function maskShapes(text: string): string {
  return scan(maskPem(text), 'shapes');
}

/** Masks passwords before the host of an address. */
export function maskUserinfo(text: string): string {
  if (!text.includes('@')) return text;
  const pass = passOver(text);
  for (let at = 0; at < text.length;) {
    const sign = text[at];
    if (sign === '@') at = bareAddress(pass, at);
    else at = sign === ':' && text.startsWith('//', at + 1) ? address(pass, at) : at + 1;
  }
  return pass.masked + text.slice(pass.at);
}
