import { SegmentedControl } from '@mantine/core';
import { useAddress } from '../components/address.ts';
import { PageHead } from '../components/page-head.tsx';
import classes from './access.module.css';
import { Paths } from './paths.tsx';
import { Rights } from './rights.tsx';
import { WhoCan } from './who-can.tsx';

const QUESTIONS = [
  { value: '', label: 'Escalation paths' },
  { value: 'who-can', label: 'Who can …' },
  { value: 'rights', label: 'What can … do' },
];

/** Shows who may do what, by the current roles and bindings of the cluster, and where these rights lead. */
export function Screen() {
  const [{ ask: asked = '' }, change] = useAddress();
  const question = QUESTIONS.some(({ value }) => value === asked) ? asked : '';
  return (
    <div className={classes['screen']}>
      <PageHead title="Access" />
      <div className={classes['questions']}>
        <SegmentedControl
          size="xs"
          aria-label="Question"
          data={QUESTIONS}
          value={question}
          // The fields of one question have no meaning in another.
          onChange={(value) =>
            change(
              { ask: value, kind: undefined, name: undefined, verb: undefined, resource: undefined, object: undefined, open: undefined },
              'push',
            )
          }
        />
      </div>
      {question === '' && <Paths />}
      {question === 'who-can' && <WhoCan />}
      {question === 'rights' && <Rights />}
    </div>
  );
}
