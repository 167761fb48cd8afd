import { Loader, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Trial } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { Ago, useNow } from '../components/ago.tsx';
import { Check, Cross, Pending } from '../components/icons.tsx';
import { EndMirror } from '../components/end-mirror.tsx';
import { KeptLog } from '../components/kept-log.tsx';
import { LogView } from '../components/log-view.tsx';
import { progressOf } from '../components/progress.ts';
import { Line } from '../components/prose.tsx';
import { ORIGINS, valueOf } from '../components/trial-text.ts';
import { Verdict } from '../components/verdict.tsx';
import classes from './incident.module.css';
import { seenIn } from './progress.ts';
import { Stage } from './stage-section.tsx';
import { type Step, stepsOf } from './steps.ts';

const DRAWN: Record<Step['state'], () => ReactNode> = {
  done: () => <Check size={16} />,
  active: () => <Loader size={14} />,
  waiting: () => <Pending size={16} />,
  stopped: () => <Cross size={16} />,
};
const TONES: Record<string, 'good' | 'bad' | 'unsure'> = { Fixed: 'good', StillFailing: 'bad', Inconclusive: 'unsure' };

interface ProofProps {
  /** The record's live mirrors, newest first. */
  mirrors: readonly MirrorRecord[];
  trials: readonly Trial[];
  namespace: string;
  /** The verdict that the head of the screen says. The only attempt does not repeat it. */
  said: string | undefined;
  canBeTried: boolean;
}

/** The third stage: what mirrors show now, and what earlier ones showed. */
export function Proof({ mirrors, trials, namespace, said, canBeTried }: ProofProps) {
  const live = new Set(mirrors.map(({ mirror_id }) => mirror_id));
  const past = trials.filter(({ mirror_id }) => !live.has(mirror_id)).toSorted((a, b) => b.started_at.localeCompare(a.started_at));
  const [newest] = [...mirrors.map(({ verdict }) => verdict), ...past.map(({ verdict }) => verdict)].filter((one) => one !== null);
  if (mirrors.length === 0 && past.length === 0 && !canBeTried) return null;
  const known = mirrors.length + past.length === 1 ? said : undefined;
  return (
    <Stage number={3} title="Proof" tone={newest ? TONES[newest] : 'plain'}>
      {mirrors.length === 0 && past.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was tried yet. A mirror runs the correction on a short-lived copy of the pod and watches it.
        </Text>
      )}
      {mirrors.map((mirror) => (
        <LiveMirror
          key={mirror.mirror_id}
          mirror={mirror}
          trial={trials.find(({ mirror_id }) => mirror_id === mirror.mirror_id)}
          said={known}
        />
      ))}
      {past.length > 0 && (
        <ol className={classes['trials']} aria-label={live.size > 0 ? 'Tried before' : 'Tried'}>
          {past.map((trial) => (
            <PastTrial key={trial.mirror_id} trial={trial} namespace={namespace} said={known} />
          ))}
        </ol>
      )}
    </Stage>
  );
}

function LiveMirror({ mirror, trial, said }: { mirror: MirrorRecord; trial: Trial | undefined; said: string | undefined }) {
  const now = useNow(1000);
  const [isLogOpen, openLog] = useState(false);
  const left = mirror.expires_at === null ? null : Math.max(0, Math.ceil((Date.parse(mirror.expires_at) - now.getTime()) / 1000));
  return (
    <div className={classes['mirror']} data-verdict={mirror.verdict} data-testid="mirror">
      <div className={classes['mirror-head']}>
        {mirror.verdict ? (
          <Judged verdict={mirror.verdict} strength={mirror.evidence?.strength ?? null} isFinal={mirror.final} said={said} />
        ) : (
          <Progress mirror={mirror} now={now} />
        )}
        <EndMirror mirror={mirror} />
      </div>
      {mirror.verdict === null && <Steps mirror={mirror} />}
      {trial && <Outcome trial={trial} />}
      <Basis evidence={mirror.evidence} revisions={mirror.revisions} />
      <details onToggle={(event) => openLog(event.currentTarget.open)}>
        <summary>
          Log of the mirror <bdi className={classes['mono']}>{mirror.mirror_pod_name || mirror.name}</bdi>
          {left !== null && `, which ends in ${left} s`}
        </summary>
        {isLogOpen && mirror.mirror_pod_name && <LogView namespace={mirror.namespace} pod={mirror.mirror_pod_name} height="short" />}
      </details>
    </div>
  );
}

function Progress({ mirror, now }: { mirror: MirrorRecord; now: Date }) {
  const { evidence, status } = mirror;
  if (status === 'Rejected') return <strong>The mirror was refused</strong>;
  const text = progressOf(evidence, now) ?? 'The mirror starts';
  const since = evidence?.ready_since;
  const window = evidence?.window_seconds ?? 1;
  const seconds = since ? Math.min(window, Math.max(0, (now.getTime() - Date.parse(since)) / 1000)) : 0;
  return (
    <span className={classes['progress']}>
      <strong>{text}</strong>
      <progress max={window} value={seconds} aria-label="Time that the mirror was Ready" />
    </span>
  );
}

interface JudgedProps {
  verdict: string;
  strength: string | null;
  isFinal: boolean;
  /** A verdict that is not repeated. */
  said: string | undefined;
}

/** The verdict with its strength. */
function Judged({ verdict, strength, isFinal, said }: JudgedProps) {
  const facts = [strength && `${strength} evidence`, isFinal ? '' : 'may still be revised'].filter(Boolean).join(', ');
  if (verdict === said) return <strong>{facts}</strong>;
  return (
    <span className={classes['judged']}>
      <Verdict verdict={verdict} />
      <span className={classes['quiet']}>{facts.toLowerCase()}</span>
    </span>
  );
}

function Steps({ mirror }: { mirror: MirrorRecord }) {
  return (
    <ol className={classes['steps']} aria-label="Steps">
      {stepsOf(mirror).map(({ title, state, message }) => (
        <li key={title} data-state={state}>
          <span className={classes['step-icon']}>{DRAWN[state]()}</span>
          <span>
            {title}
            {message && <span className={classes['small']}>{message}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function PastTrial({ trial, namespace, said }: { trial: Trial; namespace: string; said: string | undefined }) {
  return (
    <li>
      {trial.verdict ? (
        <Judged verdict={trial.verdict} strength={trial.strength} isFinal={trial.final || trial.ended_at !== null} said={said} />
      ) : (
        <strong>{trial.ended_at ? 'Ended without a verdict' : 'Not judged yet'}</strong>
      )}
      <Text size="sm" c="dimmed" component="span">
        {' '}
        <Ago at={trial.started_at} />, {ORIGINS[trial.origin] ?? trial.origin}
      </Text>
      <Outcome trial={trial} />
      <Changes trial={trial} />
      <Basis evidence={trial.evidence} revisions={trial.revisions} />
      <KeptLog namespace={namespace} pod={trial.log_pod_name} />
    </li>
  );
}

function Outcome({ trial: { reason_before: before, reason_after: after, shown_after: shown } }: { trial: Trial }) {
  const lines = [
    after && `${before ?? 'The failure'} became ${after}.`,
    shown &&
      (shown.message ||
        (shown.ready_seconds > 0 &&
          `It was Ready for ${shown.ready_seconds} s, ${shown.restarts === 0 ? 'without a restart' : `with ${shown.restarts} restarts`}.`)),
  ].filter(Boolean);
  return lines.length > 0 ? <Text size="sm">{lines.join(' ')}</Text> : null;
}

function Changes({ trial: { changes } }: { trial: Trial }) {
  if (changes.length === 0) return null;
  return (
    <ul className={classes['changes']} aria-label="What was changed">
      {changes.map(({ path, from, to, why }) => (
        <li key={path}>
          <span className={classes['mono']}>{path}</span>: <del>{valueOf(from)}</del> → <ins>{valueOf(to)}</ins>
          {why && (
            <span className={classes['small']}>
              <Line text={why} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The evidence of a verdict, its limits, and its revisions. */
function Basis({ evidence, revisions }: Pick<Trial, 'evidence' | 'revisions'>) {
  return (
    <>
      {revisions.map(({ time, from, verdict, message }) => (
        <Text size="sm" key={time + verdict}>
          Revised <Ago at={time} /> from <Verdict verdict={from} /> to <Verdict verdict={verdict} />: {message}
        </Text>
      ))}
      {evidence && evidence.weaknesses.length > 0 && (
        <div className={classes['unknown']}>
          <Text size="sm" fw={600}>
            What this verdict cannot know
          </Text>
          <ul>
            {evidence.weaknesses.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
      {evidence && (
        <details className={classes['basis']}>
          <summary>What it rests on</summary>
          <ul>
            {seenIn(evidence).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
