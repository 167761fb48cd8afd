import { handlersOf } from '../../crd/pod-template.ts';
import type { PodSecurityCheck, Violation } from '../check.ts';
import { mapping, owner, placesOf, type Place } from '../containers.ts';
import { STANDARD } from './standard.ts';

export const hostProbes: PodSecurityCheck = {
  id: 'host-probes',
  title: 'Probe or hook sent to another host',
  severity: 'medium',
  rationale:
    "The kubelet sends probes and hooks from the node's network. With a host of its own, a pod makes it ask addresses that the pod cannot reach, like services on the node's loopback.",
  remediation: "Remove `host` from probes and lifecycle hooks: without it, they go to the pod's own address.",
  references: [STANDARD],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], mitre: ['T1090'] },
  control: { level: 'baseline', since: 34 },
  run: ({ template }) => placesOf(template).flatMap(hostsOf),
};

function hostsOf(place: Place): Violation[] {
  return handlersOf(place.container).flatMap(([field, handler]) =>
    (['httpGet', 'tcpSocket'] as const).flatMap((kind): Violation[] => {
      const { host } = mapping<{ host: string }>(mapping<Record<string, unknown>>(handler)[kind]);
      if (!host) return [];
      const path = `${place.path}.${field}.${kind}.host`;
      return [{ ...owner(place), path, problem: `makes the kubelet ask ${host}`, cures: place.isFixed ? [] : [{ path, to: null }] }];
    }),
  );
}
