import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationProviderSpec } from '../../../src/crd/notificationprovider.ts';
import { composeNotification, sectionsOf } from '../../../src/notifications/policy/compose.ts';
import { groupOf } from '../../../src/notifications/policy/group.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';
import { random } from '../../support/builders/random.ts';
import { Teller, T0 } from '../../support/notifications/teller.ts';
import { anIncident } from '../../support/notifications/view.ts';

type Spec = Pick<NotificationProviderSpec, 'filter' | 'grouping' | 'quietHours'>;
const plan = suite('what a provider is told');

const healthy = { open: 0, active: 0 };
/** A minute, what changed for incident 7 (or the given id), and the events sent by then. */
type Step = [minute: number, change: Partial<IncidentView>, sent: string[]];
const TIMELINES: [says: string, spec: Spec, steps: Step[], silent?: true][] = [
  [
    'opened, then over',
    {},
    [
      [0, {}, ['incident_opened']],
      [20, healthy, ['resolved']],
    ],
  ],
  [
    'the same state again sends nothing',
    {},
    [
      [0, {}, ['incident_opened']],
      [1, {}, []],
      [2, { occurrences: 9 }, []],
    ],
  ],
  ['never bad says nothing', {}, [[0, healthy, []]]],
  [
    'an incident that a Suppression hides sends nothing, not even at its end',
    {},
    [
      [0, { active: 0 }, []],
      [9, healthy, []],
    ],
  ],
  [
    'an incident that is hidden after its message is silent until its end',
    {},
    [
      [0, {}, ['incident_opened']],
      [5, { active: 0 }, []],
      [9, healthy, ['resolved']],
    ],
  ],
  [
    'more pods update it',
    {},
    [
      [0, {}, ['incident_opened']],
      [5, { open: 3, active: 3 }, ['incident_updated']],
    ],
  ],
  [
    'a new solution is a correction',
    {},
    [
      [0, {}, ['incident_opened']],
      [5, { solution: 'other' }, ['correction']],
    ],
  ],
  [
    'a verdict, and its revision',
    {},
    [
      [0, {}, ['incident_opened']],
      [5, { verdict: { verdict: 'Fixed', strength: 'Strong', revisions: 0, message: '' } }, ['verdict']],
      [9, { verdict: { verdict: 'StillFailing', strength: 'Strong', revisions: 1, message: 'It failed again.' } }, ['verdict_revised']],
    ],
  ],
  [
    'two updates within the interval are one',
    {},
    [
      [0, {}, ['incident_opened']],
      [0.2, { active: 2 }, []],
      [0.3, { active: 3 }, []],
      [0.6, { active: 3 }, ['incident_updated']],
    ],
  ],
  [
    'a service that cannot update hears the beginning and the end',
    {},
    [
      [0, {}, ['incident_opened']],
      [5, { active: 3 }, []],
      [9, healthy, ['resolved']],
    ],
    true,
  ],
  [
    'an incident that is over before the wait has passed sends nothing',
    { grouping: { waitSeconds: 120 } },
    [
      [0, {}, []],
      [1, healthy, []],
      [5, {}, []],
      [7, {}, ['incident_opened']],
    ],
  ],
  [
    'the wait passes without a change',
    { grouping: { waitSeconds: 120 } },
    [
      [0, {}, []],
      [1, {}, []],
      [2, {}, ['incident_opened']],
    ],
  ],
  [
    'only after 3 in 10 minutes',
    { grouping: { minOccurrences: 3, windowSeconds: 600 } },
    [
      [0, {}, []],
      [4, { occurrences: 2 }, []],
      [8, { occurrences: 3 }, ['incident_opened']],
    ],
  ],
  [
    'too rare for 3 in 10 minutes',
    { grouping: { minOccurrences: 3, windowSeconds: 600 } },
    [
      [0, {}, []],
      [9, { occurrences: 2 }, []],
      [20, { occurrences: 3 }, []],
      [31, healthy, []],
    ],
  ],
  [
    'repeated when nothing changes',
    { grouping: { repeatSeconds: 3_600 } },
    [
      [0, {}, ['incident_opened']],
      [59, {}, []],
      [60, {}, ['incident_updated']],
    ],
  ],
  [
    'an incident that is back within the cooldown is sent after the cooldown',
    {},
    [
      [0, {}, ['incident_opened']],
      [1, healthy, ['resolved']],
      [2, {}, []],
      [6, {}, ['incident_opened']],
    ],
  ],
  [
    'an incident that is back and over within the cooldown sends nothing',
    {},
    [
      [0, {}, ['incident_opened']],
      [1, healthy, ['resolved']],
      [2, {}, []],
      [3, healthy, []],
      [9, {}, ['incident_opened']],
    ],
  ],
  [
    'quiet hours hold back the beginning, not the end',
    { quietHours: [{ from: '10:01', to: '10:30', timeZone: 'UTC' }] },
    [
      [0, {}, ['incident_opened']],
      [5, { active: 2 }, []],
      [9, healthy, ['resolved']],
      [20, {}, []],
      [30, {}, ['incident_opened']],
    ],
  ],
  [
    'a provider that does not want the end does not get it',
    { filter: { sendResolved: false } },
    [
      [0, {}, ['incident_opened']],
      [9, healthy, []],
    ],
  ],
  [
    'a provider that wants only verdicts and ends gets the verdict first, then the end',
    { filter: { events: ['verdict', 'resolved'] } },
    [
      [0, {}, []],
      [5, { verdict: { verdict: 'Fixed', strength: null, revisions: 0, message: '' } }, ['verdict']],
      [9, healthy, ['resolved']],
    ],
  ],
  [
    'another namespace',
    { filter: { namespaces: ['pay*'] } },
    [
      [0, {}, []],
      [9, healthy, []],
    ],
  ],
  ['an excluded namespace', { filter: { excludeNamespaces: ['s*p'] } }, [[0, {}, []]]],
  ['other labels', { filter: { labelSelector: { matchLabels: { app: 'db' } } } }, [[0, {}, []]]],
  ['other reasons', { filter: { reasons: ['OOM*'] } }, [[0, {}, []]]],
  [
    'a group is over when every member is',
    { grouping: { by: ['namespace'] } },
    [
      [0, {}, ['incident_opened']],
      [5, { id: 8, owner: 'Deployment/api' }, ['incident_updated']],
      [6, healthy, ['incident_updated']],
      [9, { id: 8, owner: 'Deployment/api', ...healthy }, ['resolved']],
    ],
  ],
];
for (const [says, spec, steps, silent] of TIMELINES) {
  plan(says, () => {
    const teller = new Teller(spec, silent !== true);
    for (const [minute, change, sent] of steps) {
      teller.set(anIncident({ id: 7, ...change }));
      assert.equal(teller.tell(minute), sent, `minute ${minute}`);
    }
  });
}

plan('deleted incidents end what was opened', () => {
  const teller = new Teller({}, true);
  teller.set(anIncident());
  teller.tell(0);
  teller.forget(7);
  assert.equal(teller.tell(9), ['resolved']);
});

plan('failures with a common cause are one message', () => {
  const lost = anIncident({ reason: 'NodeLost', node: 'n1' });
  const full = anIncident({ reason: 'FailedCreate', message: 'pods "a" is forbidden: exceeded quota: small, requested: pods=1' });
  const pull = anIncident({
    reason: 'ImagePullBackOff',
    message: 'Failed to pull image "registry.example.com/a/b:1": dial tcp: i/o timeout',
  });
  assert.equal(
    [lost, full, pull].map((one) => groupOf(undefined, one, T0)),
    ['lost node:n1', 'full quota:shop', 'silent registry:registry.example.com'],
  );
  assert.match(groupOf(undefined, anIncident({ message: 'Failed to pull image "registry.example.com/a:1": not found' }), T0), /^incident:/);
});

plan('a storm: 20 messages and one summary, which grows, shrinks and ends', () => {
  const teller = new Teller({}, true);
  const workloads = Array.from({ length: 50 }, (_, index) => anIncident({ id: index + 1, owner: `Deployment/w${index}` }));
  for (const one of workloads) teller.set(one);
  assert.equal(
    teller.tell(0),
    Array.from({ length: 21 }, () => 'incident_opened'),
  );
  teller.set(anIncident({ id: 99, owner: 'Deployment/late' }));
  assert.equal(teller.tell(2), ['incident_updated']);
  for (const one of workloads.slice(0, 40)) teller.set({ ...one, ...healthy });
  assert.equal(teller.tell(4).toSorted(), ['incident_updated', ...Array.from({ length: 20 }, () => 'resolved')]);
  for (const one of workloads) teller.set({ ...one, ...healthy });
  teller.set(anIncident({ id: 99, owner: 'Deployment/late', ...healthy }));
  assert.equal(teller.tell(6), ['resolved']);
});

plan('20 workloads of 25 pods that flap for 10 minutes: 20 messages are opened and ended', () => {
  const chance = random(1);
  const teller = new Teller({}, true);
  const sent: string[] = [];
  for (let second = 0; second <= 600; second += 5) {
    for (let id = 1; id <= 20; id++) {
      const pods = 1 + chance.integer(25);
      teller.set(anIncident({ id, owner: `Deployment/w${id}`, open: pods, active: pods, occurrences: second }));
    }
    sent.push(...teller.tell(second / 60));
  }
  for (let id = 1; id <= 20; id++) teller.set(anIncident({ id, owner: `Deployment/w${id}`, ...healthy }));
  sent.push(...teller.tell(20));
  assert.is(sent.filter((event) => event === 'incident_opened').length, 20);
  assert.is(sent.filter((event) => event === 'resolved').length, 20);
});

const QUIET = [{ from: '11:00', to: '12:00', timeZone: 'UTC' }];
plan('in any timeline openings and ends pair up', () => {
  for (let seed = 0; seed < 300; seed++) {
    const chance = random(seed);
    const spec: Spec = {
      grouping: {
        by: [chance.pick(['incident', 'namespace', 'workload', 'reason', 'node'] as const)],
        waitSeconds: chance.pick([0, 60, 600]),
        repeatSeconds: chance.pick([0, 1_800]),
        minOccurrences: chance.pick([1, 1, 3]),
      },
      ...(chance.chance(0.3) && { quietHours: QUIET }),
    };
    const teller = new Teller(spec, chance.chance(0.7));
    let minute = 0;
    for (let step = 0; step < 60; step++) {
      minute += chance.integer(20) / 4;
      const id = 1 + chance.integer(40);
      const open = chance.integer(4);
      const active = chance.chance(0.2) ? 0 : open;
      const where = {
        namespace: `ns-${id % 3}`,
        owner: `Deployment/w${id}`,
        reason: chance.pick(['Error', 'NodeLost']),
        node: `n${id % 2}`,
      };
      if (chance.chance(0.05)) teller.forget(id);
      else teller.set(anIncident({ id, ...where, open, active, occurrences: step }));
      teller.tell(minute);
    }
    teller.tell(minute + 60);
    for (let id = 1; id <= 40; id++) teller.forget(id);
    teller.tell(minute + 61);
    teller.tell(minute + 200);
    for (const [thread, events] of teller.threads) {
      const where = `seed ${seed}, thread ${thread}: ${events.join(' ')}`;
      assert.is(events[0], 'incident_opened', where);
      assert.is(events.at(-1), 'resolved', where);
      assert.is(events.filter((event) => event === 'incident_opened' || event === 'resolved').length, 2, where);
    }
  }
});

plan('planning twice sends nothing the second time', () => {
  for (let seed = 0; seed < 50; seed++) {
    const chance = random(seed);
    const teller = new Teller({}, true);
    for (let minute = 0; minute < 30; minute++) {
      const open = chance.integer(3);
      teller.set(anIncident({ id: chance.integer(5), open, active: open }));
      teller.tell(minute);
      assert.equal(teller.tell(minute), [], `seed ${seed}`);
    }
  }
});

plan('a message is masked, links to its record, and says what the solution says', () => {
  const password = ['hunter', '2hunter2'].join('');
  const said = composeNotification({
    event: 'incident_opened',
    groupKey: 'incident:x',
    incidents: [
      anIncident({
        message: `cannot log in: password=${password}`,
        verdict: { verdict: 'Fixed', strength: 'Strong', revisions: 0, message: '' },
      }),
    ],
    cluster: 'test',
    baseUrl: 'https://podmend.example',
    startedAt: T0,
    now: T0,
  });
  assert.not.match(JSON.stringify(said), password);
  assert.is(said.title, 'CrashLoopBackOff: Deployment/web in shop');
  assert.is(said.link, 'https://podmend.example/failures/70');
  assert.equal(said.sections, [{ title: 'What happened', text: 'The command does not exist.' }]);
  assert.ok(said.facts.some(({ name, value }) => name === 'Verdict of the mirror' && value === 'Fixed (strong evidence)'));
});

plan('a solution without headings is one section', () => {
  assert.equal(sectionsOf('Use `nginx:1.27`.'), [{ title: 'Solution', text: 'Use nginx:1.27.' }]);
});

plan.run();
