import { Button, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useNow } from '../components/ago.tsx';
import { CopyButton } from '../components/copy.tsx';
import { useKeys } from '../components/use-keys.ts';
import { Guarded } from '../components/guarded.tsx';
import { Line } from '../components/prose.tsx';
import { progressOf } from '../components/progress.ts';
import { Verdict } from '../components/verdict.tsx';
import classes from './incident.module.css';
import type { Stage } from './stage.ts';

interface ActionBarProps {
  stage: Stage;
  commands: readonly string[];
  /** Nothing can be tried until the cluster answers. */
  isClusterAway: boolean;
  /** Why it cannot be tried now, other than the person's role. */
  hindrance: string | undefined;
  isStarting: boolean;
  tryIt(): void;
  getPatch(): void;
}

/** The next action. It stays visible and follows the stage. `t` focuses it, so that no single key starts a mirror. */
export function ActionBar({ stage, commands, isClusterAway, hindrance, isStarting, tryIt, getPatch }: ActionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useKeys({ t: () => bar.current?.querySelector('button')?.focus() });
  const patch = (
    <Button key="patch" onClick={getPatch}>
      Get the patch
    </Button>
  );
  const [said, button] = ((): [ReactNode, ReactNode] => {
    switch (stage.kind) {
      case 'nothing':
        return [
          'A person must act.',
          commands.length > 0 && (
            <CopyButton key="commands" text={commands.join('\n')} size="sm">
              Copy the commands
            </CopyButton>
          ),
        ];
      case 'try':
        return [
          <Line key="title" text={stage.offered.correction.title} />,
          <Guarded key="try" needs="write">
            <Button loading={isStarting} disabled={hindrance !== undefined} title={hindrance} onClick={tryIt}>
              {stage.offered.trial ? 'Try it again' : 'Try it'}
            </Button>
          </Guarded>,
        ];
      case 'watching':
        return [
          <Watching key="watching" stage={stage} />,
          <Button key="wait" data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
            Watching…
          </Button>,
        ];
      case 'proven':
        return [<Verdict key="verdict" verdict="Fixed" />, patch];
      case 'take':
        return [isClusterAway ? 'Not proven: the cluster does not answer.' : 'Not proven: no mirror can try this one.', patch];
    }
  })();
  return (
    <div ref={bar} className={classes['action']} role="group" aria-label="What to do next" data-testid="action">
      <Text component="div" size="sm" className={classes['action-said']}>
        {said}
      </Text>
      {button}
    </div>
  );
}

function Watching({ stage: { mirror } }: { stage: Extract<Stage, { kind: 'watching' }> }) {
  const now = useNow(1000);
  return <>{progressOf(mirror.evidence, now) ?? 'The mirror starts'}</>;
}
