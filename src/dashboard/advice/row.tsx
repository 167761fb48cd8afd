import { Button, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Advice } from '../../contract/advice.ts';
import { Ago } from '../components/ago.tsx';
import { useDraft, useHasDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { Guarded } from '../components/guarded.tsx';
import { Line, Prose } from '../components/prose.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { SEVERITY_NAMES, TONES } from '../components/severity.ts';
import { Tag } from '../components/tag.tsx';
import { ask } from '../live/request.ts';
import classes from './advice.module.css';
import type { Group } from './group.ts';
import { evidenceFacts } from '../components/evidence.ts';

interface AdviceRowProps {
  one: Advice;
  isOpen: boolean;
  onToggle(): void;
  /** It stands below its title, with others of the same title: only its workload tells it from them. */
  isBelowTitle?: boolean;
}

/** The same advice for several workloads: the title once, and below it a line for each. */
export function AdviceGroup({ group: [first, ...others], children }: { group: Group; children: ReactNode }) {
  return (
    <Row
      lead={<Tag tone={TONES[first.severity]}>{SEVERITY_NAMES[first.severity]}</Tag>}
      title={<h2 className={classes['heading']}>{first.title}</h2>}
      meta={
        <>
          <span>{others.length + 1} workloads</span>
          <span>{first.category}</span>
        </>
      }
    >
      <div className={classes['group']}>
        <Rows label={first.title}>{children}</Rows>
      </div>
    </Row>
  );
}

/** The reason why the advice is not open. */
function Hidden({ one: { ignored_at: at, ignored_by: by, ignored_reason: reason, suppressed_by: suppression } }: { one: Advice }) {
  return (
    <>
      {at !== null && (
        <span>
          ignored by <bdi>{by}</bdi> <Ago at={at} />
          {reason !== null && (
            <>
              : <bdi>{reason}</bdi>
            </>
          )}
        </span>
      )}
      {suppression !== null && <span>hidden by {suppression}</span>}
    </>
  );
}

/** One piece of advice; when open, it shows the evidence and the change. */
export function AdviceRow({ one, isOpen, onToggle, isBelowTitle = false }: AdviceRowProps) {
  const client = useQueryClient();
  const [isIgnoring, ignoring] = useState(useHasDraft(draftOf(one.id)));
  const more = useId();
  const changed = () => client.invalidateQueries({ queryKey: ['advice'] });
  const act = useMutation({
    mutationFn: ({ verb, reason }: { verb: 'ignore' | 'restore' | 'explain'; reason?: string }) =>
      ask<Advice>(`/api/advice/findings/${one.id}/${verb}`, {
        method: verb === 'explain' ? 'POST' : 'PUT',
        ...(reason !== undefined && { body: { reason } }),
      }),
    onSuccess: changed,
  });
  const isBusy = (verb: string): boolean => act.isPending && act.variables.verb === verb;
  const Heading = isBelowTitle ? 'h3' : 'h2';
  const subject = (
    <>
      {one.resource_kind} <bdi>{one.resource_name}</bdi>
    </>
  );
  return (
    <Row
      lead={isBelowTitle ? undefined : <Tag tone={TONES[one.severity]}>{SEVERITY_NAMES[one.severity]}</Tag>}
      title={
        <div className={classes['line']}>
          <Heading className={classes['heading']}>
            <button
              type="button"
              className={`text-button ${classes['toggle']}`}
              aria-expanded={isOpen}
              aria-controls={more}
              onClick={onToggle}
            >
              {isBelowTitle ? subject : one.title}
            </button>
          </Heading>
          {isBelowTitle && (
            <span className={classes['beside']}>
              <bdi>{one.namespace}</bdi> · <Ago at={one.created_at} />
            </span>
          )}
        </div>
      }
      meta={
        (!isBelowTitle || one.status !== 'open') && (
          <>
            {!isBelowTitle && (
              <>
                <span>{subject}</span>
                <span>{one.namespace}</span>
                <span>{one.category}</span>
                <Ago at={one.created_at} />
              </>
            )}
            <Hidden one={one} />
          </>
        )
      }
      end={
        <>
          {one.status === 'open' && (
            <Guarded needs="write">
              <Button variant="default" size="compact-sm" aria-expanded={isIgnoring} onClick={() => ignoring(!isIgnoring)}>
                Ignore
              </Button>
            </Guarded>
          )}
          {one.status === 'ignored' && (
            <Guarded needs="write">
              <Button variant="default" size="compact-sm" loading={isBusy('restore')} onClick={() => act.mutate({ verb: 'restore' })}>
                Restore
              </Button>
            </Guarded>
          )}
        </>
      }
    >
      {isIgnoring && one.status === 'open' && (
        <IgnoreForm
          id={one.id}
          isBusy={isBusy('ignore')}
          onIgnore={(reason) => act.mutateAsync({ verb: 'ignore', reason })}
          onCancel={() => ignoring(false)}
        />
      )}
      <div id={more} hidden={!isOpen}>
        {isOpen && <Opened one={one} isBusy={isBusy('explain')} onExplain={() => act.mutate({ verb: 'explain' })} />}
      </div>
      <ErrorNotice error={act.error} />
    </Row>
  );
}

function Opened({ one, isBusy, onExplain }: { one: Advice; isBusy: boolean; onExplain(): void }) {
  return (
    <div className={classes['open']}>
      <Text size="sm">
        <Line text={one.summary} />
      </Text>
      <div>
        <h3 className={classes['label']}>What was seen</h3>
        <div className={classes['evidence']}>
          <Facts
            facts={evidenceFacts(one.evidence).map(([name, values]) => [name, values.map((value) => <div key={value}>{value}</div>)])}
          />
        </div>
      </div>
      <div>
        <h3 className={classes['label']}>What to change</h3>
        <Prose text={one.recommended_change} />
      </div>
      {one.explanation !== null && (
        <div>
          <Prose text={one.explanation} />
          <Text size="xs" c="dimmed">
            {one.is_fallback ? 'Written by rules.' : 'Written by the language model. Check it before you act on it.'}
          </Text>
        </div>
      )}
      {(one.explanation === null || one.is_fallback) && (
        <Guarded needs="write">
          <Button variant="default" size="compact-sm" justify="start" w="fit-content" loading={isBusy} onClick={onExplain}>
            {one.explanation === null ? 'Explain' : 'Explain again'}
          </Button>
        </Guarded>
      )}
    </div>
  );
}

const draftOf = (id: number): string => `ignore-advice:${id}`;

interface IgnoreFormProps {
  id: number;
  isBusy: boolean;
  onIgnore(reason: string): Promise<unknown>;
  onCancel(): void;
}

function IgnoreForm({ id, isBusy, onIgnore, onCancel }: IgnoreFormProps) {
  const [{ reason }, set, clear] = useDraft(draftOf(id), { reason: '' });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The row shows a refusal.
    void onIgnore(reason.trim()).then(clear, () => {});
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label="Ignore this advice">
      <TextInput
        label="Why is it fine as it is?"
        description="It stays ignored when it is found again"
        size="xs"
        required
        maxLength={1024}
        autoFocus
        value={reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
      />
      <Button type="submit" size="xs" loading={isBusy}>
        Ignore it
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          clear();
          onCancel();
        }}
      >
        Cancel
      </Button>
    </form>
  );
}
