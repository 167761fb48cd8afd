import { yaml } from '@codemirror/lang-yaml';
import { syntaxTree } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { basicSetup, EditorView } from 'codemirror';
import { useEffect, useRef, useState } from 'react';
import type { ShownFailure } from '../../contract/failure.ts';
import type { DeployMirror, MirrorCheck, MirrorRecord } from '../../contract/mirror.ts';
import { usePerson } from '../components/current-user.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ask } from '../live/request.ts';
import { useTaken } from '../live/add-mirror.ts';
import { draftOf, keepDraft } from './draft.ts';
import classes from './incident.module.css';
import { runsOnce } from './mirror-terms.ts';

/** The pause in typing after which the server validates. */
const PAUSE_MS = 700;
/** Styles that the editor adds need this nonce (Content-Security-Policy). */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

interface EditorProps {
  failure: ShownFailure;
  /** The current manifest. */
  original: string;
  start: string;
  close(): void;
}

/** Edits the manifest beside the running one, validates it while people type, and tries it on a mirror. */
export function Editor({ failure, original, start, close }: EditorProps) {
  const { id: person } = usePerson();
  const [text, setText] = useState(() => draftOf(person, failure.id) ?? start);
  const [isAcknowledged, acknowledge] = useState(false);
  const [paused] = useDebouncedValue(text, PAUSE_MS);
  const mustAcknowledge = runsOnce(failure.workload?.kind ?? failure.resource_kind);
  const wish = (manifest: string): DeployMirror => ({ manifest, ...(isAcknowledged && { acknowledge_side_effects: true }) });
  const isSame = text.trim() === original.trim();
  const check = useQuery({
    queryKey: ['check', failure.id, paused, isAcknowledged],
    queryFn: ({ signal }) => ask<MirrorCheck>(`/api/mirror/check/${failure.id}`, { method: 'POST', body: wish(paused), signal }),
    enabled: paused.trim() !== '' && paused.trim() !== original.trim() && (!mustAcknowledge || isAcknowledged),
    retry: false,
  });
  const taken = useTaken();
  const run = useMutation({
    mutationFn: () => ask<MirrorRecord>(`/api/mirror/deploy/${failure.id}`, { method: 'POST', body: wish(text) }),
    onSuccess: (record) => {
      // The draft stays, so that people can continue after a failure.
      taken(record);
      close();
    },
  });
  const write = (next: string): void => {
    setText(next);
    keepDraft(person, failure.id, next);
  };
  const isChecked = check.isSuccess && paused === text;
  return (
    <div>
      <Code original={original} text={text} write={write} />
      <div className={classes['checked']} role="status">
        {isSame && 'Nothing is changed yet.'}
        {!isSame && check.isFetching && 'Checking…'}
        {!isSame && !check.isFetching && isChecked && ['A mirror can try this.', ...check.data.risks].join(' ')}
      </div>
      {!check.isFetching && !isSame && <ErrorNotice error={check.error} />}
      <ErrorNotice error={run.error} />
      <Group gap="sm" mt="xs">
        {mustAcknowledge && (
          <Checkbox
            label="I know that its work may run a second time"
            checked={isAcknowledged}
            onChange={(event) => acknowledge(event.currentTarget.checked)}
          />
        )}
        <Button loading={run.isPending} disabled={!isChecked || isSame} onClick={() => run.mutate()}>
          Try what I wrote
        </Button>
        <Button
          variant="default"
          onClick={() => {
            keepDraft(person, failure.id, undefined);
            close();
          }}
        >
          Discard
        </Button>
        <Text size="xs" c="dimmed">
          Escape, then Tab leaves the editor.
        </Text>
      </Group>
    </div>
  );
}

function Code({ original, text, write }: { original: string; text: string; write(text: string): void }) {
  const host = useRef<HTMLDivElement>(null);
  const written = useRef(write);
  // When the running manifest changes, a new editor opens with the typed text.
  const latest = useRef(text);
  useEffect(() => {
    written.current = write;
    latest.current = text;
  });
  useEffect(() => {
    if (!host.current) return;
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current,
        extensions: [
          basicSetup,
          yaml(),
          EditorView.cspNonce.of(nonce),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Manifest to try' }),
          unifiedMergeView({
            original,
            mergeControls: false,
            highlightChanges: true,
            // Without changes everything would be folded away, leaving no line to edit.
            ...(latest.current.trim() !== original.trim() && { collapseUnchanged: { margin: 4, minSize: 8 } }),
          }),
          linter(syntaxProblems, { delay: 300 }),
          lintGutter(),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) written.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.focus();
    return () => view.destroy();
  }, [original]);
  return <div ref={host} className={classes['editor']} />;
}

/** The positions of YAML syntax errors. The server validates the content. */
function syntaxProblems(view: EditorView): Diagnostic[] {
  const problems: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) problems.push({ from, to: Math.max(to, from), severity: 'error', message: 'This is no YAML' });
    },
  });
  return problems.slice(0, 20);
}
