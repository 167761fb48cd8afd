import { Button, SegmentedControl, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { PatchFormat } from '../../contract/diagnosis.ts';
import { CopyButton } from '../components/copy.tsx';
import { Line } from '../components/prose.tsx';
import { SignsNote } from '../components/unseen-characters-note.tsx';
import { withSigns } from '../components/unseen-characters.ts';
import lines from '../components/log-view.module.css';
import classes from './incident.module.css';

interface PatchPanelProps {
  formats: readonly PatchFormat[];
  /** Side effects of the patch, or further steps; empty if there are none. */
  note: string;
  /** Whether the first format was already copied; undefined while unknown. */
  isCopied: boolean | undefined;
  close(): void;
}

/** The patch in each format, to copy. The browser keeps the focus inside and restores it. */
export function PatchPanel({ formats, note, isCopied, close }: PatchPanelProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [name, setName] = useState<string>(formats[0]?.name ?? '');
  useEffect(() => dialog.current?.showModal(), []);
  const shown = formats.find((one) => one.name === name);
  return (
    <dialog ref={dialog} className={classes['patch']} aria-labelledby="patch-title" onClose={close}>
      <div className={classes['patch-body']}>
        <div className={classes['part-head']}>
          <h2 id="patch-title">The patch</h2>
          <Button variant="default" size="compact-sm" onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </div>
        <Text size="sm" role="status">
          {isCopied && `${formats[0]?.name ?? 'The patch'} is on the clipboard.`}
          {isCopied === false && 'The browser did not allow copying: select the text.'}
        </Text>
        <SegmentedControl aria-label="Form of the patch" data={formats.map((one) => one.name)} value={name} onChange={setName} fullWidth />
        {shown && (
          <>
            <Text size="sm" c="dimmed">
              {shown.about}
            </Text>
            <pre className={`code-block ${lines['lines']}`} data-wrapped data-height="short" tabIndex={0} aria-label={shown.name}>
              {withSigns(shown.text)}
            </pre>
            <SignsNote text={shown.text} />
            <CopyButton text={shown.text} size="sm">
              {`Copy ${shown.name === 'kubectl patch' ? 'the command' : 'it'}`}
            </CopyButton>
          </>
        )}
        {note && (
          <Text size="sm">
            <Line text={note} />
          </Text>
        )}
        <CopyButton text={location.origin + location.pathname} variant="subtle">
          Copy the link to this incident
        </CopyButton>
      </div>
    </dialog>
  );
}
