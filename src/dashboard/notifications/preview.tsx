import { SegmentedControl, Skeleton, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NotificationPreview, NotificationSetting, PreviewedMessage } from '../../contract/notification.ts';
import { useAddress } from '../components/address.ts';
import { CopyButton } from '../components/copy.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ask } from '../live/request.ts';
import { Drawing } from './drawing.tsx';
import { sketchesOf } from './drawing.ts';
import classes from './notifications.module.css';
import { kindOf } from './types.ts';

/** The pause in typing after which the preview updates. */
const PAUSE_MS = 300;
const MOMENTS: [event: string, name: string][] = [
  ['incident_opened', 'It begins'],
  ['verdict', 'A verdict'],
  ['resolved', 'It ends'],
];
/** The server checks the name only on saving. */
const UNNAMED = 'unnamed';

/** The messages about an example incident. Nothing is sent. Secrets in `setting` are masked. */
export function Preview({ setting }: { setting: NotificationSetting }) {
  const [{ moment }, change] = useAddress();
  const body = usePaused(JSON.stringify({ ...setting, provider: UNNAMED, enabled: true }));
  const { data, error } = useQuery({
    queryKey: ['notification-preview', body],
    queryFn: ({ signal }) =>
      ask<NotificationPreview>('/api/admin/notifications/preview', { method: 'POST', body: JSON.parse(body) as object, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const event = MOMENTS.find(([one]) => one === moment)?.[0] ?? 'incident_opened';
  const shown = data?.messages.find((message) => message.event === event);
  return (
    <section className={classes['preview']} aria-label="Preview">
      <div className={classes['preview-head']}>
        <Title order={2}>Preview</Title>
        <SegmentedControl
          size="xs"
          aria-label="What happens"
          data={MOMENTS.map(([value, label]) => ({ value, label }))}
          value={event}
          onChange={(value) => change({ moment: value === 'incident_opened' ? undefined : value })}
        />
      </div>
      <ErrorNotice error={error} />
      {!data && !error && <Skeleton height={200} />}
      {data && shown && <Moment type={data.type} message={shown} />}
      <p className={classes['small']}>An example, drawn from the real payload. Nothing is sent.</p>
    </section>
  );
}

function Moment({ type, message }: { type: string; message: PreviewedMessage }) {
  if (message.silence !== null) return <p className={classes['silence']}>Nothing is sent. {message.silence}</p>;
  const { name } = kindOf(type);
  const payload = payloadOf(message);
  return (
    <>
      {sketchesOf(type, message).map((sketch, index) => (
        <Drawing key={index} sketch={sketch} name={name} />
      ))}
      <details className={classes['payload']}>
        <summary>The payload</summary>
        <pre className="code-block" data-wrapped tabIndex={0}>
          {payload}
        </pre>
        <CopyButton text={payload}>Copy</CopyButton>
      </details>
    </>
  );
}

/** The payload in readable form; its secrets are already masked. */
function payloadOf({ requests, mail }: PreviewedMessage): string {
  if (mail) return JSON.stringify(mail, null, 2);
  return requests
    .map(({ method, url, headers, body }) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      return `${method} ${url}\n${lines.join('\n')}\n\n${JSON.stringify(JSON.parse(body), null, 2)}`;
    })
    .join('\n\n');
}

/** The value after a pause in changes. */
function usePaused(value: string): string {
  const [paused, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
