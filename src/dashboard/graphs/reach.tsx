import { Button, NumberInput, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CanReach } from '../../contract/access.ts';
import { useAddress } from '../components/address.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Check, Cross, Question } from '../components/icons.tsx';
import { ask } from '../live/request.ts';
import classes from './graphs.module.css';
import { reachPath, sidesOf } from './reach-address.ts';

/** "Can … reach …?" and the answer. The question is in the address. */
export function Reach({ namespace }: { namespace: string | undefined }) {
  const [{ from, to, port }] = useAddress();
  const path = reachPath({ from, to, port }, namespace);
  const { data, error, refetch } = useQuery({
    queryKey: ['graph', 'reach', path],
    queryFn: ({ signal }) => ask<CanReach>(path ?? '', { signal }),
    enabled: path !== undefined,
  });
  return (
    <section className={classes['reach']} aria-label="Can one pod reach another?">
      {/* Another address, by Back or by a link, is another question. */}
      <ReachForm key={JSON.stringify([from, to, port])} namespace={namespace} />
      {path !== undefined && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {path !== undefined && !data && !error && <Skeleton height={48} role="img" aria-label="Looking for the answer" />}
      {path !== undefined && data && <Answer answer={data} />}
    </section>
  );
}

function ReachForm({ namespace }: { namespace: string | undefined }) {
  const [asked, change] = useAddress();
  const [from, setFrom] = useState(asked['from'] ?? '');
  const [to, setTo] = useState(asked['to'] ?? '');
  const [port, setPort] = useState<string | number>(asked['port'] ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change({ from: from.trim(), to: to.trim(), port: String(port) }, 'push');
  };
  const pod = {
    size: 'xs',
    required: true,
    maxLength: 317,
    placeholder: namespace ? 'pod, or namespace/pod' : 'namespace/pod',
    w: 240,
  } as const;
  return (
    <form className={classes['sentence']} onSubmit={submit} aria-label="Can … reach …">
      <span>Can</span>
      <TextInput {...pod} aria-label="From pod" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
      <span>reach</span>
      <TextInput {...pod} aria-label="To pod" value={to} onChange={(event) => setTo(event.currentTarget.value)} />
      <span>on port</span>
      <NumberInput
        size="xs"
        aria-label="Port"
        placeholder="any"
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
        w={80}
        value={port}
        onChange={setPort}
      />
      <span>?</span>
      <Button type="submit" size="xs" disabled={reachPath({ from, to, port: String(port) }, namespace) === undefined}>
        Ask
      </Button>
    </form>
  );
}

const SIGNS = { allowed: Check, refused: Cross, unknown: Question };

function Answer({ answer }: { answer: CanReach }) {
  const Sign = SIGNS[answer.reach];
  return (
    <div role="status">
      <p className={classes['reach-answer']} data-reach={answer.reach}>
        <Sign size={16} /> <bdi>{answer.why}.</bdi>
      </p>
      {sidesOf(answer).map((side) => (
        <p key={side} className={classes['quiet']}>
          <bdi>{side}</bdi>
        </p>
      ))}
    </div>
  );
}
