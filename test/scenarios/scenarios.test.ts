import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Diagnosis } from '../../src/diagnosis/diagnose.ts';
import { renderReport } from '../../src/diagnosis/rendering/render.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { judge, scenario, scenarioNames } from '../support/expected/scenarios.ts';

/** What a real node showed of each scenario, against what was written down before. */
const test = suite('scenarios');

/** What the rules still get wrong. Whoever mends one takes it off. */
const MISSED: Record<string, 'culprit' | 'correction'> = {
  // Nobody but the author knows what takes the place of a folder of the node.
  'security-host-path': 'correction',
  // Which account has a right is known to nobody who may not read roles; which value a label should have, only to its author.
  'account-default': 'correction',
  'downward-label-missing': 'correction',
  // That one container's work is done, and another never ends, is not seen once the Job has deleted its pod.
  'sidecar-in-job': 'correction',
  // An empty volume at the folder that it makes: the program then finds it there already, and ends.
  'user-cannot-write': 'correction',
};

for (const name of scenarioNames)
  test(name, () => {
    const { alarm, cases, diagnosis, reason, ...judged } = judge(scenario(name));
    assert.not.ok(alarm, `${cases.map((subject) => subject.reason).join()}: a false alarm`);
    if (alarm !== undefined) return;
    assert.ok(reason, `${cases.length} records`);
    const [first] = diagnosis?.corrections ?? [];
    if (first) applyChanges(cases[0]?.manifest(), first.changes);
    const wrong = (['culprit', 'correction'] as const).filter((what) => judged[what] === false);
    assert.equal(wrong.join(), MISSED[name] ?? '', JSON.stringify([diagnosis?.culprit, first?.changes]));
    assert.not.ok(judged.promise, `more than a guess where nothing cures: ${first?.title}`);
    if (diagnosis) readsWell(diagnosis);
  });

/** What a stranger needs stands in the first five lines, and nothing is said twice or in vain. */
function readsWell(diagnosis: Diagnosis): void {
  const text = renderReport('shop/web: Reason', diagnosis);
  const [title, blank, happened = '', ...more] = text.split('\n');
  assert.equal([title, blank], ['# shop/web: Reason', '']);
  assert.match(happened, /^- \*\*What happened:\*\* .{20,}\.$/);
  assert.match(more.slice(0, 2).join('\n'), /^- \*\*Next:\*\* .{10,}\.$/m);
  assert.not.match(text, /\(1 of 1 nodes\)|Read the message|undefined|\[object/);
  const titles = diagnosis.corrections.map((one) => one.title);
  assert.equal(titles, [...new Set(titles)]);
}

test.run();
