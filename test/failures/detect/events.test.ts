import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent } from '../../../src/crd/kubernetes.ts';
import { eventsOf, firstSeen, isOwnEvent, lastSeen, newest } from '../../../src/failures/detect/events.ts';
import { look, millis } from '../../../src/failures/detect/view.ts';
import { aPod, after, anEvent } from '../../support/builders/pod.ts';

const seconds = (at: number) => (at === 0 ? undefined : (at - Date.parse(after(0))) / 1000);
const bare = (over: Partial<CoreEvent>): CoreEvent => ({ metadata: {}, ...over }) as CoreEvent;

const times: [says: string, event: CoreEvent, first: number | undefined, last: number | undefined][] = [
  ['an event that was seen again', bare({ firstTimestamp: after(1), lastTimestamp: after(9) }), 1, 9],
  ['a series', bare({ eventTime: after(1), series: { count: 3, lastObservedTime: after(9) } as never }), 1, 9],
  ['a newer writer', bare({ eventTime: after(5) }), 5, 5],
  ['only a first time', bare({ firstTimestamp: after(5) }), 5, 5],
  ['only its creation', bare({ metadata: { creationTimestamp: after(5) } }), 5, 5],
  ['only a last time', bare({ lastTimestamp: after(5) }), 5, 5],
  ['no time', bare({}), undefined, undefined],
  ['the empty time', bare({ firstTimestamp: '1970-01-01T00:00:00Z' }), undefined, undefined],
];
for (const [says, event, first, last] of times)
  test(`times of ${says}`, () => assert.equal([seconds(firstSeen(event)), seconds(lastSeen(event))], [first, last]));

test('an instant is a time after 1970', () => {
  assert.equal([millis('1970-01-01T00:00:00Z'), millis(''), millis(null), millis('soon')], [undefined, undefined, undefined, undefined]);
  assert.is(millis('1970-01-01T00:00:00.001Z'), 1);
});

test('Podmend’s own events are no evidence', () => {
  assert.equal(
    [{ reportingComponent: 'podmend-operator' }, { source: { component: 'podmend' } }, { source: { component: 'kubelet' } }, {}].map(
      (over) => isOwnEvent(bare(over)),
    ),
    [true, true, false, false],
  );
});

test('the events of an object are those of its uid, or of its name where one has none, oldest first', () => {
  const about = (involvedObject: object, at: number) => anEvent('A', '', at, { involvedObject });
  const events = [
    about({ kind: 'Pod', name: 'app', namespace: 'shop', uid: 'uid-1' }, 9),
    about({ kind: 'Pod', name: 'app', namespace: 'shop', uid: 'other' }, 2),
    about({ kind: 'Pod', name: 'app', namespace: 'shop' }, 3),
    about({ name: 'app', namespace: 'shop' }, 4),
    about({ kind: 'Pod', name: 'app', namespace: 'bank' }, 5),
    about({ kind: 'Pod', name: 'db', namespace: 'shop' }, 6),
    about({ kind: 'Job', name: 'app', namespace: 'shop', uid: 'uid-1' }, 7),
    anEvent('A', '', 8, { reportingComponent: 'podmend' }),
  ];
  assert.equal(
    eventsOf(aPod(), events).map((event) => seconds(lastSeen(event))),
    [3, 4, 9],
  );
});

test('the newest event with one of the reasons', () => {
  const events = [anEvent('A', '', 1), anEvent('B', '', 2), anEvent('C', '', 3), anEvent('A', '', 4)];
  assert.equal([newest(events, 'A'), newest(events, 'B', 'C'), newest(events, 'D')], [events[3], events[2], undefined]);
});

test('a look says whether a time is over, and when to look again: at the next deadline', () => {
  const at = look({ pod: aPod(), events: [], now: new Date(after(100)), graces: { pendingSeconds: 0, unreadySeconds: 0 } });
  assert.is(at.lookAgainAt(), undefined);
  assert.equal([at.past(after(0), 100), at.past(Date.parse(after(0)), 99)], [true, true]);
  assert.equal([at.past(undefined, 0), at.past(undefined, 1), at.past('soon', 1)], [true, false, false]);
  assert.is(at.lookAgainAt(), undefined);
  assert.equal([at.past(after(0), 130), at.past(after(0), 110), at.past(after(0), 120)], [false, false, false]);
  assert.equal(at.lookAgainAt(), new Date(after(110)));
});

test.run();
