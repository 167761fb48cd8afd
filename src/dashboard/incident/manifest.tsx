import { Button, Group, Loader, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { FailureDiagnosis } from '../../contract/diagnosis.ts';
import type { ShownFailure } from '../../contract/failure.ts';
import { CopyButton } from '../components/copy.tsx';
import { usePerson } from '../components/current-user.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { Guarded } from '../components/guarded.tsx';
import { useConfig } from '../live/config.ts';
import { draftOf } from './draft.ts';
import { withSigns } from '../components/unseen-characters.ts';
import lines from '../components/log-view.module.css';
import { showPlace } from './show-place.ts';

// The editor is large, and few need it.
const Editor = lazy(async () => ({ default: (await import('./editor.tsx')).Editor }));

interface ManifestProps {
  failure: ShownFailure;
  diagnosis: FailureDiagnosis | undefined;
  at: number | undefined;
}

/** The reported manifest, and an editor that starts from the running one. */
export function Manifest({ failure, diagnosis, at }: ManifestProps) {
  const { id: person } = usePerson();
  const [isEdited, edit] = useState(() => draftOf(person, failure.id) !== undefined);
  const config = useConfig();
  const areMirrorsOn = config?.features['mirrors'] !== false;
  const start = diagnosis?.preview.candidates[0]?.fixed_manifest ?? diagnosis?.manifest ?? '';
  const cannot = hindranceOf(diagnosis, areMirrorsOn);
  if (isEdited && diagnosis && cannot === undefined)
    return (
      <Suspense fallback={<Loader aria-label="Loading the editor" />}>
        <Editor failure={failure} original={diagnosis.manifest} start={start} close={() => edit(false)} />
      </Suspense>
    );
  if (!failure.manifest) return <EmptyState title="No manifest was reported" />;
  return (
    <>
      <Group gap="xs" mb="xs">
        <Guarded needs="write">
          <Button size="compact-sm" variant="default" disabled={cannot !== undefined} title={cannot} onClick={() => edit(true)}>
            Edit and try
          </Button>
        </Guarded>
        <CopyButton text={failure.manifest}>Copy</CopyButton>
        <Text size="xs" c="dimmed">
          As reported, secrets masked.
        </Text>
      </Group>
      <div className={`code-block ${lines['lines']}`} tabIndex={0} role="region" aria-label="Manifest of the pod">
        {failure.manifest
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => (
            <div
              key={index}
              className={lines['line']}
              data-at={index === at || undefined}
              tabIndex={index === at ? -1 : undefined}
              ref={index === at ? showPlace : undefined}
            >
              {withSigns(line) || ' '}
            </div>
          ))}
      </div>
    </>
  );
}

function hindranceOf(diagnosis: FailureDiagnosis | undefined, areMirrorsOn: boolean): string | undefined {
  if (!areMirrorsOn) return 'Mirrors are switched off in this installation.';
  if (!diagnosis) return 'The manifest is being read.';
  if (diagnosis.source === 'gone') return 'The pod and its workload are gone: there is nothing to copy.';
  return diagnosis.source === 'unknown' ? 'The cluster does not answer.' : undefined;
}
