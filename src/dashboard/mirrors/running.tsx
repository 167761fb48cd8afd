import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { useNow } from '../components/ago.tsx';
import { EndMirror } from '../components/end-mirror.tsx';
import { progressOf } from '../components/progress.ts';
import { Row } from '../components/rows.tsx';
import { Verdict } from '../components/verdict.tsx';
import { lengthOf } from './changes.ts';
import classes from './mirrors.module.css';

/** One running mirror: its progress, its end, and a button to end it now. */
export function RunningMirror({ mirror }: { mirror: MirrorRecord }) {
  return (
    <Row
      lead={mirror.verdict ? <Verdict verdict={mirror.verdict} /> : <Text size="sm">{stateOf(mirror)}</Text>}
      title={<Source id={mirror.pod_id} name={mirror.source_pod_name} />}
      meta={
        <>
          <span>{mirror.namespace}</span>
          <Left until={mirror.expires_at} />
          <Progress mirror={mirror} />
          <span className="mono">{mirror.mirror_pod_name || mirror.name}</span>
        </>
      }
      end={<EndMirror mirror={mirror} />}
    >
      {mirror.status === 'Rejected' && <Text size="sm">{mirror.conditions.find(({ status }) => status === 'False')?.message}</Text>}
    </Row>
  );
}

/** The name of a failing pod, with a link to its incident if there is one. */
export function Source({ id, name }: { id: number | null; name: string }) {
  if (id === null) return <bdi>{name}</bdi>;
  return (
    <Anchor component={Link} to="/incidents/$id" params={{ id: String(id) } as never} inherit>
      <bdi>{name}</bdi>
    </Anchor>
  );
}

function stateOf({ status }: MirrorRecord): string {
  if (status === 'Rejected') return 'Refused';
  return status === 'Running' ? 'Watching' : 'Starting';
}

/** The time that is left, counted down. */
function Left({ until }: { until: string | null }) {
  const now = useNow(1000);
  if (until === null) return null;
  const seconds = (Date.parse(until) - now.getTime()) / 1000;
  return <span className={classes['countdown']}>{seconds > 0 ? `ends in ${lengthOf(Math.ceil(seconds))}` : 'is being removed'}</span>;
}

/** The elapsed part of the observation window. */
function Progress({ mirror: { evidence, verdict } }: { mirror: MirrorRecord }) {
  const now = useNow(1000);
  const text = verdict ? undefined : progressOf(evidence, now);
  return text && <span className={classes['countdown']}>{text}</span>;
}
