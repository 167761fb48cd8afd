import { MASTERS } from '../../subjects.ts';
import type { Ask } from '../move.ts';
import type { Right } from '../right-index.ts';
import { NEW_NAME } from '../terrain.ts';
import { CHANGE, READ } from '../useful-rules.ts';

const CERTIFICATES = 'certificates.k8s.io';

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

/**
 * Signs a client certificate for itself (Kubernetes, "Certificates and Certificate Signing Requests"). The group system:masters is refused.
 */
export function certificates<S>(ask: Ask<S>): void {
  const { find, add, terrain } = ask;
  const joined = find({ verb: 'create', resource: `${SIGNING_REQUESTS}/nodeclient` });
  const seen = joined && requesting(ask);
  // The controller manager approves requests of joining nodes by itself.
  if (seen) add({ power: { kind: 'node', name: undefined }, way: 'csr', rights: [...new Set([...seen, joined])] });
  const approved = requesting(ask, `${SIGNING_REQUESTS}/approval`);
  if (!approved) return;
  const signer = (name: string): Right<S> | undefined =>
    [name, 'kubernetes.io/*']
      .map((one) => find({ verb: 'approve', resource: `signers.${CERTIFICATES}`, name: one }))
      .find((right) => right);
  const [client, kubelet] = [signer(CLIENT_SIGNER), signer(NODE_SIGNER)];
  if (client)
    for (const subject of terrain.identities)
      if (subject.name !== MASTERS) add({ power: { kind: 'acts-as', subject }, way: 'csr', rights: [...new Set([...approved, client])] });
  const nodeSigner = client ?? kubelet;
  if (nodeSigner) add({ power: { kind: 'node', name: undefined }, way: 'csr', rights: [...new Set([...approved, nodeSigner])] });
}

const SIGNING_REQUESTS = `certificatesigningrequests.${CERTIFICATES}`;

/** The rights to create a request with any name, to read it, and to change `approval`. */
function requesting<S>({ find, any, may, namesOf, reading }: Ask<S>, approval?: string): Right<S>[] | undefined {
  const resource = SIGNING_REQUESTS;
  if (!may(['create'], resource) || (approval && !may(CHANGE, approval))) return undefined;
  const verbs = ['create', ...READ];
  const names = [
    ...verbs.flatMap((verb) => [...namesOf(verb, resource)]),
    ...(approval ? CHANGE.flatMap((verb) => [...namesOf(verb, approval)]) : []),
  ];
  const anyName = find({ verb: 'create', resource });
  for (const name of new Set([NEW_NAME, ...names])) {
    const [named, patch] = [find({ verb: 'create', resource, name }), find({ verb: 'patch', resource, name })];
    const made = anyName ? [anyName] : named && patch && !name.includes(':') ? [named, patch] : undefined;
    const read = reading({ resource, name });
    const approve = approval ? any(CHANGE, { resource: approval, name }) : read;
    if (made && read && approve) return [...new Set([...made, read, approve])];
  }
  return undefined;
}
