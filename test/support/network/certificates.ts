import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FRESH = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365'.split(' ');
const SIGNED = '-CA ca.crt -CAkey ca.key -addext basicConstraints=critical,CA:FALSE'.split(' ');

/** Writes the key and certificate of an authority to `ca.key` and `ca.crt` in a folder. */
export async function makeAuthority(folder: string): Promise<void> {
  await run('openssl', [...FRESH, '-subj', '/CN=cluster', '-keyout', 'ca.key', '-out', 'ca.crt'], { cwd: folder });
}

/** Writes `<name>.key` and `<name>.crt`, signed by the folder's authority. `names` is a subjectAltName: `DNS:localhost,IP:127.0.0.1`. */
export async function makeCertificate(folder: string, name: string, subject: string, names: string): Promise<void> {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
  await run('openssl', [...FRESH, ...SIGNED, '-subj', subject, '-addext', `subjectAltName=${names}`, ...files], { cwd: folder });
}

/** A server certificate for localhost that no system trusts, and its authority, as PEM. */
export async function localCertificate(): Promise<{ ca: string; key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-certificate-'));
  try {
    await makeAuthority(folder);
    await makeCertificate(folder, 'server', '/CN=localhost', 'DNS:localhost,IP:127.0.0.1');
    const [ca = '', key = '', cert = ''] = await Promise.all(
      ['ca.crt', 'server.key', 'server.crt'].map((file) => readFile(join(folder, file), 'utf8')),
    );
    return { ca, key, cert };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
