import type { ImageRevision, PastFailure } from '../../contract/failure-history.ts';
import { about, counted, type Detector, type DetectorResult, named } from './detector.ts';
import { DAY_MS, distinct, HOUR_MS, oddsOf, onsetsOf, ownerOf, type Past, pastOf, shownTimes, templateImages } from './past.ts';
import type { Subject, View } from './view.ts';

/**
 * Failure families that a new image may cause. Left out: `image` and `create`, whose message already names the cause, and families that do
 * not depend on the image.
 */
const BY_IMAGE = new Set(['crash', 'start', 'unready', 'other']);
/**
 * If the change were irrelevant, a failure would be equally likely at any other time. The chance that all of `n` failures come so soon
 * after the change is `(soon / (quiet + soon)) ** n`; each change of the image is another opportunity.
 */
const MOST_CHANCE = 0.001;
const LEAST_OCCURRENCES = 3;
const OVER_MS = 3 * DAY_MS;
const QUIET_MS = HOUR_MS;

interface Change {
  before: ImageRevision;
  after: ImageRevision;
  /** How often the image changed in the known time. */
  changes: number;
}

/** Workloads that did not fail before their image changed, and have failed since. */
export const failingSinceImage: Detector = {
  id: 'failing-since-image',
  title: 'Pods have failed since their image changed',
  category: 'reliability',
  severity: 'high',
  requires: ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'],
  historyDays: 1,
  why: 'A workload that ran well for days and fails right after a new image was rolled out most likely fails because of the new image. The previous image is known to work, and going back to it takes a minute. You can look for the cause afterwards.',
  run(view, now) {
    const subjects = view.workloads.filter(({ kind, replicas }) => kind !== 'Job' && replicas !== 0);
    return pastOf(view, subjects, { days: 1, now }).flatMap((past) => {
      const change = changeOf(view, past.subject);
      return change ? (resultOf(view, past, change, now) ?? []) : [];
    });
  },
};

/** The last change, if the template still has its images. */
function changeOf({ history }: View, subject: Subject): Change | undefined {
  const all = (history?.revisions ?? []).filter((one) => ownerOf(one) === ownerOf(subject));
  const [before, after] = all.slice(-2);
  if (!before || !after || after.images.join() !== templateImages(subject).join()) return undefined;
  return { before, after, changes: all.length - 1 };
}

/** Whether all of these images are among the others. A webhook may have added a container to the pod. */
function isOf(images: readonly string[], others: readonly string[]): boolean {
  return images.every((image) => others.includes(image));
}

function resultOf(view: View, past: Past, change: Change, now: Date): DetectorResult | undefined {
  const { subject, since } = past;
  const { before, after, changes } = change;
  const failures = past.failures.filter(({ family }) => BY_IMAGE.has(family));
  const onsets = onsetsOf(failures, { since, now, quietMs: QUIET_MS });
  const [first] = onsets;
  if (!first || !areAllAfter(failures, change) || !keepsFailing(failures, onsets, now) || hasCompany(view, subject, first, now))
    return undefined;
  const [changedAt, quietMs] = [before.seen_at.getTime(), before.seen_at.getTime() - since.getTime()];
  const chanceOf = (at: Date, index: number) => ((at.getTime() - changedAt) / (at.getTime() - changedAt + quietMs)) ** (index + 1);
  const chance = changes * Math.min(...onsets.map(chanceOf));
  if (quietMs <= 0 || chance >= MOST_CHANCE) return undefined;
  const { kind, name } = subject;
  const [were, are] = [
    before.images.filter((one) => !after.images.includes(one)),
    after.images.filter((one) => !before.images.includes(one)),
  ];
  if (are.length === 0) return undefined;
  return about(subject, {
    summary: `${kind} ${name} fails since its image became ${named(are)}.`,
    evidence: {
      image: named(are),
      image_before: named(were),
      changed_at: shownTimes([after.since])[0],
      first_failure: shownTimes([first])[0],
      times: shownTimes(onsets),
      quiet_before: quietMs >= 2 * DAY_MS ? counted(Math.floor(quietMs / DAY_MS), 'day') : counted(Math.floor(quietMs / HOUR_MS), 'hour'),
      by_chance: oddsOf(chance),
      pods: distinct(failures.map(({ pod_name }) => pod_name)).slice(0, 10),
      nodes: distinct(failures.flatMap(({ node }) => node ?? [])),
      reasons: distinct(failures.map(({ reason }) => reason)),
    },
    change: backTo(view, subject, named(were), named(are)),
  });
}

/** Whether each failure is of a pod with the new images, and happened after the old ones were last seen. */
function areAllAfter(failures: PastFailure[], { before, after }: Change): boolean {
  return failures.every(({ images, first_at }) => isOf(after.images, images) && first_at > before.seen_at);
}

/** One crash at the start is no reason to go back, and neither is a failure that is over. */
function keepsFailing(failures: PastFailure[], onsets: Date[], now: Date): boolean {
  const last = Math.max(...failures.map(({ last_at }) => last_at.getTime()));
  const occurrences = failures.reduce((sum, one) => sum + one.occurrences, 0);
  return now.getTime() - last <= OVER_MS && (onsets.length > 1 || occurrences >= LEAST_OCCURRENCES);
}

/** Whether another workload began to fail shortly before. Then both may have the same cause. */
function hasCompany({ history }: View, subject: Subject, first: Date, now: Date): boolean {
  const others = (history?.failures ?? []).filter((one) => ownerOf(one) !== ownerOf(subject));
  const since = new Date(first.getTime() - HOUR_MS);
  return [...Map.groupBy(others, ownerOf).values()].some((failures) =>
    onsetsOf(failures, { since, now, quietMs: QUIET_MS }).some((at) => at < first),
  );
}

function backTo({ namespace }: View, { kind, name }: Subject, were: string, are: string): string {
  const back =
    kind === 'CronJob'
      ? `Set the image of CronJob ${name} back to \`${were}\``
      : `Go back to \`${were}\`: \`kubectl rollout undo -n ${namespace} ${kind.toLowerCase()}/${name}\``;
  return `${back}, and find out what \`${are}\` does differently. Other changes of the same rollout go back with it.`;
}
