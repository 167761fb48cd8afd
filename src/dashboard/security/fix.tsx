import { Button, SegmentedControl, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding, FindingFix } from '../../contract/finding.ts';
import { CopyButton } from '../components/copy.tsx';
import { Diff } from '../components/diff.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Guarded } from '../components/guarded.tsx';
import { Line, Prose } from '../components/prose.tsx';
import { ask } from '../live/request.ts';
import { type Facts, valueText } from './facts.ts';
import { FieldPath } from './field-path.tsx';
import { SignsNote } from '../components/unseen-characters-note.tsx';
import { withSigns } from '../components/unseen-characters.ts';
import classes from './security.module.css';

/** The change that corrects a finding: its fields at once; patch, YAML and diff on request. */
export function Fix({ finding, changes }: { finding: Finding; changes: Facts['changes'] }) {
  const fix = useMutation({ mutationFn: () => ask<FindingFix>(`/api/security/findings/${finding.id}/fix`, { method: 'POST' }) });
  return (
    <section aria-label="Patch">
      <h3 className={classes['label']}>Patch</h3>
      {changes.length === 0 && !fix.data && <p className={classes['text']}>No single field cures it.</p>}
      {changes.length > 0 && !fix.data && <Changes changes={changes} />}
      {!fix.data && (
        <Guarded needs="write">
          <Button
            size="compact-sm"
            variant={changes.length > 0 ? 'filled' : 'default'}
            mt={8}
            loading={fix.isPending}
            onClick={() => fix.mutate()}
          >
            {changes.length > 0 ? 'Get the patch' : 'Propose a correction'}
          </Button>
        </Guarded>
      )}
      <ErrorNotice error={fix.error} onRetry={() => fix.mutate()} />
      {fix.data && <Forms fix={fix.data} />}
    </section>
  );
}

function Changes({ changes }: { changes: Facts['changes'] }) {
  return (
    <ul className={classes['changes']}>
      {changes.map(({ path, from, to }) => (
        <li key={path}>
          <FieldPath path={path} />
          <span>
            <del>{withSigns(valueText(from))}</del> → <ins>{to === null ? 'removed' : withSigns(valueText(to))}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The change in each format. */
function Forms({ fix }: { fix: FindingFix }) {
  const forms = [
    ...(fix.command === '' ? [] : [['kubectl patch', fix.command] as const]),
    ...(fix.diff === '' ? [] : [['Diff', fix.diff] as const]),
    ...(fix.patch.length === 0 ? [] : [['YAML', fix.fixed_manifest] as const]),
  ];
  const [chosen, choose] = useState<string>(forms[0]?.[0] ?? '');
  const [name, text] = forms.find(([one]) => one === chosen) ?? ['', ''];
  return (
    <>
      {forms.length === 0 && <Prose text={fix.explanation} />}
      {forms.length > 0 && (
        <>
          <div className={classes['forms']}>
            <SegmentedControl size="xs" aria-label="Form of the patch" data={forms.map(([one]) => one)} value={name} onChange={choose} />
            <CopyButton text={text}>Copy</CopyButton>
          </div>
          {name === 'Diff' ? (
            <Diff diff={text} />
          ) : (
            <pre className="code-block" data-wrapped tabIndex={0} aria-label={name}>
              {withSigns(text)}
            </pre>
          )}
          <SignsNote text={text} />
          {fix.note !== '' && name === 'kubectl patch' && (
            <Text size="sm" mt={6}>
              <Line text={fix.note} />
            </Text>
          )}
        </>
      )}
      {!fix.is_fallback && (
        <>
          {forms.length > 0 && <Prose text={fix.explanation} />}
          <Text size="xs" c="dimmed">
            Written by the language model. Check it before you act on it.
          </Text>
        </>
      )}
    </>
  );
}
