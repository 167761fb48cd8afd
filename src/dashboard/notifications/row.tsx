import { Link } from '@tanstack/react-router';
import type { NotificationSetting } from '../../contract/notification.ts';
import { Ago } from '../components/ago.tsx';
import { Row } from '../components/rows.tsx';
import { Tag } from '../components/tag.tsx';
import { draftOf, filterText } from './draft.ts';
import classes from './notifications.module.css';
import { quietText } from './quiet.ts';
import { TestButton, TestSaid, useTest } from './test-message.tsx';
import { kindOf } from './types.ts';

/** One provider: whether it works, which events it gets, and whether its latest messages arrived. */
export function ProviderRow({ setting }: { setting: NotificationSetting }) {
  const { provider, type = provider, status } = setting;
  const test = useTest(provider);
  const draft = draftOf(setting);
  const last = status?.last_delivery_at ?? null;
  return (
    <Row
      lead={<Readiness setting={setting} />}
      title={
        <Link to="/notifications" search={{ provider } as never} className={classes['name']}>
          <bdi>{provider}</bdi>
        </Link>
      }
      meta={
        <>
          <span>{kindOf(type).name}</span>
          {draft.members['channel'] && <bdi>{draft.members['channel']}</bdi>}
          <span>told: {filterText(draft)}</span>
          {draft.quietHours.map((quiet) => (
            <span key={quietText(quiet)}>quiet {quietText(quiet)}</span>
          ))}
          <span>{last === null ? 'nothing sent yet' : <>last sent {<Ago at={last} />}</>}</span>
          {managerOf(setting) !== undefined && <span>managed by {managerOf(setting)}</span>}
        </>
      }
      end={<TestButton test={test} />}
    >
      <Trouble setting={setting} />
      <TestSaid test={test} />
    </Row>
  );
}

/** Whether messages are sent, as a word. */
export function Readiness({ setting: { enabled, status } }: { setting: NotificationSetting }) {
  if (!enabled) return <Tag>Off</Tag>;
  if (status?.ready === false) return <Tag tone="bad">Not ready</Tag>;
  return status?.last_error ? <Tag tone="unsure">Has errors</Tag> : <Tag tone="good">Ready</Tag>;
}

/** A provider's problem: why it cannot be used, or why its newest message failed. */
export function Trouble({ setting: { enabled, status } }: { setting: NotificationSetting }) {
  const wrong = enabled && status?.ready === false ? status.message : (status?.last_error ?? null);
  return wrong === null ? null : (
    <p className={classes['trouble']}>
      <bdi>{wrong}</bdi>
    </p>
  );
}

/** The tool that would revert a change; undefined when Podmend may change it. */
export const managerOf = ({ source = 'api' }: NotificationSetting): string | undefined =>
  source === 'api' || source === 'kubectl' ? undefined : source;
