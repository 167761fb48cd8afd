import { formats } from './format.ts';

/** Credentials of machines and users for clusters, and of secret stores. */
export const CLUSTERS = [
  ...formats('K3s and RKE2: Token formats', [['K3s or RKE2 cluster token', 'K10', 'colons', 60]]),
  ...formats('Docker: Join nodes to a swarm', [
    ['Docker swarm join token', 'SWMTKN-1-', 'dashed', 50],
    ['Docker swarm unlock key', 'SWMKEY-1-', 'base64', 30],
  ]),
  ...formats('OpenShift: User tokens', [['OpenShift token', 'sha256~', 'base64url', 43]]),
  ...formats('Rancher: API keys', [
    ['Rancher API key', 'token-', 'colons', 56],
    ['Rancher kubeconfig token', 'kubeconfig-', 'colons', 56],
  ]),
  ...formats('Tailscale: Key prefixes', [
    ['Tailscale auth key', 'tskey-', 'base64url', 20],
    ['Tailscale private node key', 'privkey:', 'hex', 64],
    ['Tailscale node key', 'nodekey-priv:', 'hex', 64],
  ]),
  ...formats('Defined Networking, NetBird, ZeroTier: API keys', [
    ['Defined Networking API key', 'dnkey-', 'base64url', 60],
    ['NetBird personal token', 'nbp_', 'base62', 32],
  ]),
  ...formats('ngrok: Authtokens and API keys', [['ngrok credential', 'cr_2', 'base62', 24]]),
  ...formats('HashiCorp Vault: Tokens', [
    ['Vault service token', 'hvs.', 'base64url', 20],
    ['Vault batch token', 'hvb.', 'base64url', 20],
    ['Vault recovery token', 'hvr.', 'base64url', 20],
    ['Vault service token before 1.10', 's.', 'base62', 24, 24],
    ['Vault batch token before 1.10', 'b.', 'base64url', 60],
    ['Vault recovery token before 1.10', 'r.', 'base62', 24, 24],
    ['Vault ciphertext', 'vault:v1:', 'base64', 30],
  ]),
  ...formats('Doppler: Auth token formats', [
    ['Doppler CLI token', 'dp.ct.', 'base62', 40],
    ['Doppler personal token', 'dp.pt.', 'base62', 40],
    ['Doppler service token', 'dp.st.', 'dotted', 40],
    ['Doppler service account token', 'dp.sa.', 'base62', 40],
    ['Doppler service account identity token', 'dp.said.', 'base62', 40],
    ['Doppler SCIM token', 'dp.scim.', 'base62', 40],
    ['Doppler audit token', 'dp.audit.', 'base62', 40],
  ]),
  ...formats('Infisical: Service tokens', [['Infisical service token', 'st.', 'dotted', 60]]),
  ...formats('1Password: Service accounts, Connect, secret keys', [['1Password service account token', 'ops_', 'parts', 60]]),
  ...formats('Bitwarden Secrets Manager: Access tokens', [['Bitwarden access token', '0.', 'address', 80]]),
  ...formats('Akeyless, CyberArk, Keeper, Delinea: tokens', [
    ['Akeyless token', 't-', 'hex', 40],
    ['Keeper one-time token', 'US:', 'base64url', 43, 43],
    ['Keeper one-time token, Europe', 'EU:', 'base64url', 43, 43],
  ]),
  ...formats('age: The format', [
    ['age private key', 'AGE-SECRET-KEY-1', 'BASE36', 58],
    ['age post-quantum private key', 'AGE-SECRET-KEY-PQ-1', 'BASE36', 50],
    ['age plugin identity', 'AGE-PLUGIN-', 'dashed', 40],
  ]),
  ...formats('dotenvx, SOPS, git-crypt, Fernet: encrypted values', [['dotenvx key', 'dotenv://:key_', 'address', 64]]),
  ...formats('NATS: Nkeys', [
    ['NATS user seed', 'SUA', 'BASE36', 55, 55],
    ['NATS account seed', 'SAA', 'BASE36', 55, 55],
    ['NATS operator seed', 'SOA', 'BASE36', 55, 55],
  ]),
  ...formats('minisign, Sigstore, Nebula, Teleport: keys', [['minisign secret key', 'RWQAAEIy', 'base64', 100]]),
];
