import type { Message, Quote } from './message.ts';

export type PodFieldCause =
  | 'file-key'
  | 'file-format'
  | 'recursive-read-only'
  | 'propagation'
  | 'apparmor'
  | 'selinux'
  | 'mapped-users'
  | 'image-folder'
  | 'trust-bundle'
  | 'pod-certificate'
  | 'git'
  | 'inline-volume'
  | 'token-account'
  | 'device-driver';

/** A message that tells which field of the pod the node cannot fulfil. `subject` is what it names: a key, path, profile, driver. */
export interface PodFieldFact {
  kind: 'pod-field';
  cause: PodFieldCause;
  subject: string | null;
  /** A volume or file that the message names beside it. */
  of: string | null;
  evidence: Quote;
}

/** Messages of kubelet, containerd and runc. The group `subject` is what they name. */
const CAUSES: readonly [PodFieldCause, RegExp][] = [
  ['file-key', /environment variable key "(?<subject>[^"]{1,253})" not found in file "(?<of>[^"]{1,1000})"/],
  ['file-format', /couldn't parse env file|failed to parse env(?:ironment)? file/i],
  ['recursive-read-only', /volume "(?<subject>[^"]{1,253})" requested recursive read-only mode/],
  ['propagation', /path "[^"]{1,500}" is mounted on "(?<subject>[^"]{1,500})" but it is not a shared (?:or slave )?mount/],
  [
    'apparmor',
    /apparmor profile (?:not found|is not loaded:?) "?(?<subject>[^\s":]{1,253})|apparmor (?:is not supported|failed to apply profile)|apply apparmor profile/i,
  ],
  ['selinux', /\/attr\/keycreate|failed to set (?:the )?(?:process|file|mount) label|selinux label|setexeccon/i],
  ['mapped-users', /MOUNT_ATTR_IDMAP on (?<subject>[^\s:]{1,500})|id-?mapp?(?:ed)? mounts? (?:are|is) not supported/i],
  ['image-folder', /image volume sub ?path "(?<subject>[^"]{1,500})"/i],
  [
    'trust-bundle',
    /clustertrustbundles?(?:\.certificates\.k8s\.io)? "(?<subject>[^"]{1,253})" (?:not found|does not exist)|matched zero ClusterTrustBundles/i,
  ],
  ['pod-certificate', /pod ?certificate ?request "?[^"\s]{0,253}"? (?:was (?:permanently )?(?:denied|failed)|has failed|is denied)/i],
  ['git', /git ?(?:Repo )?volumes? (?:have been|are|is|plugin is) disabled/i],
  ['inline-volume', /volume mode "Ephemeral" not supported by driver (?<subject>\S{1,253})/],
  ['token-account', /failed to fetch token: serviceaccounts? "(?<subject>[^"]{1,253})" not found/],
  ['device-driver', /DRA (?:driver|plugin) (?<subject>\S{1,253}) is not registered|failed to prepare dynamic resources/i],
];

/** Facts in a message about a field of the pod that the node cannot fulfil. */
export function readPodField({ text, from }: Message): PodFieldFact[] {
  for (const [cause, words] of CAUSES) {
    const found = words.exec(text);
    if (found)
      return [
        {
          kind: 'pod-field',
          cause,
          subject: found.groups?.['subject'] ?? null,
          of: found.groups?.['of'] ?? null,
          evidence: { from, text },
        },
      ];
  }
  return [];
}
