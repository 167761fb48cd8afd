import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OwnerPatch } from '../../src/contract/mirror.ts';
import type { Case } from '../../src/diagnosis/case.ts';
import { ownerPatch } from '../../src/diagnosis/changes/owner-patch.ts';
import type { Correction } from '../../src/diagnosis/corrections/correction.ts';
import type { Diagnosis } from '../../src/diagnosis/diagnose.ts';
import { renderReport } from '../../src/diagnosis/rendering/render.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { judge, scenario, scenarioNames } from '../support/expected/scenarios.ts';

/** Compares what a real node showed of each scenario with what was expected beforehand. */
const test = suite('scenarios');

/** What the rules still get wrong. Whoever fixes a rule removes its entry. */
const MISSED: Record<string, 'culprit' | 'correction'> = {
  // Two faults in one message. Only the key is corrected, because letting in the users of all domains is for people to decide.
  'db-oauth2-proxy-grafana': 'correction',
};

for (const name of scenarioNames)
  test(name, () => {
    const { alarm, cases, diagnosis, reason, ...judged } = judge(scenario(name));
    assert.not.ok(alarm, `${cases.map((subject) => subject.reason).join()}: a false alarm`);
    if (alarm !== undefined) return;
    assert.ok(reason, `${cases.length} records`);
    const [first] = diagnosis?.corrections ?? [];
    if (first) assert.ok(patchOf(cases[0], first), `no patch of the owner for ${first.title}`);
    const wrong = (['culprit', 'correction'] as const).filter((what) => judged[what] === false);
    assert.equal(wrong.join(), MISSED[name] ?? '', JSON.stringify([diagnosis?.culprit, first?.changes]));
    assert.not.ok(judged.promise, `more than a guess where nothing cures: ${first?.title}`);
    if (diagnosis) readsWell(diagnosis, name);
  });

/** The patch with which `kubectl` applies a correction. */
function patchOf(subject: Case | undefined, { changes }: Correction): OwnerPatch | null {
  const before = subject?.manifest();
  const { owner, pod_name: podName, surroundings } = subject ?? {};
  return before && owner ? ownerPatch({ before, after: applyChanges(before, changes) }, { owner, podName, surroundings, changes }) : null;
}

/** Asserts that the first five lines say everything important, and that nothing is repeated or useless. */
function readsWell(diagnosis: Diagnosis, name: string): void {
  const text = renderReport('shop/web: Reason', diagnosis).replaceAll(name, 'web');
  const [title, blank, happened = '', ...more] = text.split('\n');
  assert.equal([title, blank], ['# shop/web: Reason', '']);
  assert.match(happened, /^- \*\*What happened:\*\* .{20,}\.$/);
  assert.match(more.slice(0, 2).join('\n'), /^- \*\*Next:\*\* .{10,}\.$/m);
  assert.not.match(text, /\(1 of 1 nodes\)|Read the message|undefined|\[object Object/);
  const titles = diagnosis.corrections.map((one) => one.title);
  assert.equal(titles, [...new Set(titles)]);
}

test.run();
