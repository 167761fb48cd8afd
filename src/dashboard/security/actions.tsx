import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding } from '../../contract/finding.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { SuppressForm } from '../components/suppress-form.tsx';
import { suppressionWith } from '../components/suppress.ts';
import { showDone } from '../components/undo.tsx';
import { ask } from '../live/request.ts';
import { titleOf } from './facts.ts';
import classes from './security.module.css';
import { reachesOf } from './suppress.ts';
import { useTakenFindings } from './use-findings.ts';

/** The action of a person on findings, for the list. */
export interface Acted {
  /** They leave the shown list or return to it. */
  done(ids: readonly number[], isDone: boolean): void;
}

interface ActionsProps extends Acted {
  /** The findings of the row, one for each container. */
  findings: readonly [Finding, ...Finding[]];
  onSuppress(): void;
}

const dismissed = ({ id }: Finding): Promise<Finding> => ask<Finding>(`/api/security/findings/${id}`, { method: 'DELETE' });
const restored = ({ id }: Finding): Promise<Finding> => ask<Finding>(`/api/security/findings/${id}/restore`, { method: 'PUT' });

/** Dismisses or restores the findings of a row, with Undo. */
export function Actions({ findings, done, onSuppress }: ActionsProps) {
  const taken = useTakenFindings();
  const [first] = findings;
  const ids = findings.map(({ id }) => id);
  const change = useMutation({
    mutationFn: async (isDismissal: boolean) => {
      const [to, back] = isDismissal ? [dismissed, restored] : [restored, dismissed];
      await Promise.all(findings.map(to));
      done(ids, true);
      const undo = async (): Promise<void> => {
        await Promise.all(findings.map(back));
        done(ids, false);
        await taken();
      };
      const what = findings.length === 1 ? titleOf(first) : `${titleOf(first)} on ${findings.length} containers`;
      showDone({ message: `${what}: ${isDismissal ? 'dismissed' : 'restored'}`, undo });
    },
    onSettled: taken,
  });
  const ofAll = findings.length === 1 ? '' : ` all ${findings.length}`;
  return (
    <>
      <div className={classes['actions']}>
        {first.status === 'dismissed' ? (
          <Guarded needs="write">
            <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate(false)}>
              {`Restore${ofAll}`}
            </Button>
          </Guarded>
        ) : (
          first.status !== 'resolved' && (
            <>
              <Guarded needs="write">
                <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate(true)}>
                  {`Dismiss${ofAll}`}
                </Button>
              </Guarded>
              {first.suppressed_by === null && (
                <Guarded needs="write">
                  <Button size="compact-sm" variant="default" onClick={onSuppress}>
                    Suppress…
                  </Button>
                </Guarded>
              )}
            </>
          )
        )}
      </div>
      <ErrorNotice error={change.error} />
    </>
  );
}

/** Hides a check for some time, with a reason. */
export function SuppressFinding({ finding, draft, close }: { finding: Finding; draft: string; close(): void }) {
  const taken = useTakenFindings();
  const reaches = reachesOf(finding);
  const [chosen, choose] = useState(0);
  const match = reaches[chosen]?.match ?? {};
  return (
    <div className={classes['suppress']}>
      <SuppressForm
        draft={draft}
        of={[match]}
        count={async (written, signal) => {
          const body = suppressionWith(written, match);
          return (await ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body, signal })).newly_hidden_findings;
        }}
        counted={(hidden) => (hidden === 1 ? 'one finding' : `${hidden.toLocaleString('en')} findings`)}
        save={(written) => ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body: suppressionWith(written, match) })}
        onDone={({ name }) => {
          close();
          void taken();
          const undo = async (): Promise<void> => {
            await ask(`/api/suppressions/${encodeURIComponent(name)}`, { method: 'DELETE' });
            await taken();
          };
          showDone({ message: `${titleOf(finding)}: suppressed`, undo });
        }}
        close={close}
      >
        <NativeSelect
          size="xs"
          label="What"
          data={reaches.map(({ label }, index) => ({ value: String(index), label }))}
          value={String(chosen)}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        />
      </SuppressForm>
    </div>
  );
}
