import { Anchor, Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SuppressionRecord } from '../../contract/suppression.ts';
import { Ago, useNow } from '../components/ago.tsx';
import { ConfirmButton } from '../components/confirm.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { Down } from '../components/icons.tsx';
import { Row } from '../components/rows.tsx';
import { Tag } from '../components/tag.tsx';
import { showDone } from '../components/undo.tsx';
import { ask } from '../live/request.ts';
import { entryKindOf, extended, isExpiring, isUnused, matchFacts, renewed, WHY_NOT } from './match.ts';

const ENTRY_NAMES = { namespace: 'excluded namespace', pod: 'excluded pod', registry: 'trusted registry' };
const EXTENSIONS: [name: string, days: number | null][] = [
  ['One day more', 1],
  ['Seven days more', 7],
  ['30 days more', 30],
  ['No end', null],
];

/** One Suppression: what it hides, until when, its owner, and how to extend or end it. */
export function SuppressionRow({ one }: { one: SuppressionRecord }) {
  const client = useQueryClient();
  const now = useNow(20_000);
  const changed = () => client.invalidateQueries({ queryKey: ['suppressions'] });
  const end = useMutation({
    mutationFn: () => ask<undefined>(`/api/suppressions/${encodeURIComponent(one.name)}`, { method: 'DELETE' }),
    onSuccess: () => {
      if (canReturn) {
        const undo = async (): Promise<void> => {
          await ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body: renewed(one) });
          await changed();
        };
        showDone({ message: `${one.reason}: ended`, undo });
      }
      return changed();
    },
  });
  const extend = useMutation({
    mutationFn: (days: number | null) =>
      ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body: extended(one, days, new Date()) }),
    onSuccess: changed,
  });
  // A Suppression of the API can be restored unchanged. One of kubectl would return with another name and without its labels.
  const canReturn = one.source === 'api' && one.active;
  const owner = ownerOf(one);
  const kind = entryKindOf(one.match);
  return (
    <Row
      lead={<Effect one={one} isSoon={isExpiring(one, now)} />}
      title={<bdi>{one.reason}</bdi>}
      meta={
        <>
          {kind && <span>{ENTRY_NAMES[kind]}</span>}
          {matchFacts(one.match).map((fact) => (
            <bdi key={fact}>{fact}</bdi>
          ))}
          <span>{countsOf(one)}</span>
          {one.last_matched_at !== null && (
            <span>
              last <Ago at={one.last_matched_at} />
            </span>
          )}
          <span>
            {one.expires_at === null ? (
              'no end'
            ) : (
              <>
                {one.active_reason === 'Expired' ? 'ended' : 'ends'} <Ago at={one.expires_at} />
              </>
            )}
          </span>
          {one.owner !== null && <bdi>by {one.owner}</bdi>}
          {one.ticket !== null && <Ticket text={one.ticket} />}
          <span>{sourceOf(one)}</span>
          <bdi className="mono">
            {one.namespace}/{one.name}
          </bdi>
        </>
      }
      end={
        <>
          <Menu position="bottom-end" width={170}>
            <Menu.Target>
              <Button
                variant="default"
                size="compact-sm"
                rightSection={<Down size={13} />}
                loading={extend.isPending}
                disabled={one.source !== 'api'}
                title={one.source === 'api' ? undefined : `${owner} Change it there.`}
              >
                Extend
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {EXTENSIONS.map(([name, days]) => (
                <Menu.Item key={name} onClick={() => extend.mutate(days)}>
                  {name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Guarded needs="write">
            {canReturn ? (
              <Button variant="default" size="compact-sm" loading={end.isPending} onClick={() => end.mutate()}>
                End
              </Button>
            ) : (
              <ConfirmButton
                sure="End it: show what it hides"
                loading={end.isPending}
                disabled={isManaged(one)}
                title={isManaged(one) ? `${owner} End it there.` : undefined}
                onConfirm={() => end.mutate()}
              >
                End
              </ConfirmButton>
            )}
          </Guarded>
        </>
      }
    >
      <ErrorNotice error={end.error ?? extend.error} />
    </Row>
  );
}

function Effect({ one, isSoon }: { one: SuppressionRecord; isSoon: boolean }) {
  if (!one.active) return <Tag>{WHY_NOT[one.active_reason] ?? one.active_reason}</Tag>;
  if (isSoon) return <Tag tone="unsure">Ends soon</Tag>;
  return isUnused(one) ? <Tag>Unused</Tag> : <Tag tone="good">In effect</Tag>;
}

function Ticket({ text }: { text: string }) {
  if (!/^https?:\/\//.test(text)) return <bdi>{text}</bdi>;
  return (
    <Anchor href={text} target="_blank" rel="noreferrer" inherit>
      {text}
    </Anchor>
  );
}

function countsOf({ matched_failures: failures, matched_findings: findings }: SuppressionRecord): string {
  return `hides ${failures} ${failures === 1 ? 'failure' : 'failures'}, ${findings} ${findings === 1 ? 'finding' : 'findings'}`;
}

/** Whether a tool would create it again. `kubectl` does not. */
function isManaged({ source }: SuppressionRecord): boolean {
  return source !== 'api' && source !== 'kubectl';
}

function sourceOf(one: SuppressionRecord): string {
  if (one.source === 'api') return 'made here';
  return isManaged(one) ? `managed by ${one.source}` : 'made with kubectl';
}

function ownerOf(one: SuppressionRecord): string {
  return isManaged(one) ? `${one.source} owns it: what changes here, it would undo.` : 'It was made with kubectl.';
}
