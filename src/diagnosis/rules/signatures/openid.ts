import { code } from '../../rendering/quote.ts';
import { writtenInstead } from '../../corrections/replace-text.ts';
import type { Signature } from './signature.ts';

/** Messages of clients of OpenID Connect. */
export const openidSignatures: readonly Signature[] = [
  {
    // OpenID Connect Discovery 1.0, section 4.3: both must be the same text. The messages are those of go-oidc and of Spring Security.
    id: 'openid-issuer',
    hints: ['issuer'],
    pattern:
      /issuer did not match the issuer returned by provider, expected "(?<asked>[^"\s]{1,300})" got "(?<told>[^"\s]{1,300})"|Issuer "(?<told2>[^"\s]{1,300})" provided in the configuration (?:metadata )?did not match the requested issuer "(?<asked2>[^"\s]{1,300})"/,
    explain: ({ asked, asked2, told, told2 }, input) => {
      const [from, to] = [asked ?? asked2 ?? '', told ?? told2 ?? ''];
      return {
        because: `it expects the issuer ${code(from)}, but the provider calls itself ${code(to)}`,
        culprit: `issuer ${from}`,
        advice: [`Name the issuer as the provider does: ${code(to)}. If pods cannot reach that address, give the provider another name.`],
        corrections: writtenInstead(
          input,
          { from, to },
          { why: 'the provider calls itself so', explanation: 'Both must be the same text, to the last slash.' },
        ),
        whereToLook: `the setting with the issuer, and \`${from.replace(/\/$/, '')}/.well-known/openid-configuration\``,
      };
    },
  },
];
