import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ModelPrompt } from '../../contract/model.ts';
import { CopyButton } from '../components/copy.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { ask } from '../live/request.ts';
import lines from '../components/log-view.module.css';
import { withSigns } from '../components/unseen-characters.ts';
import classes from './incident.module.css';

/** The exact prompt that a language model would get about this failure. For administrators. */
export function Prompt({ id }: { id: number }) {
  const query = useQuery({
    queryKey: ['prompt', id],
    queryFn: ({ signal }) => ask<ModelPrompt>(`/api/pods/failed/${id}/prompt`, { signal }),
    staleTime: 0,
  });
  const { data } = query;
  if (!data) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className={classes['prompt']}>
      <Text size="sm">
        {data.configured
          ? `${data.model} of ${data.provider} would get this${data.url ? ` at ${data.url}` : ''}.`
          : 'No model is configured, so nothing is sent. A model would get this.'}{' '}
        {data.cached && 'An answer to it is kept: nothing would be sent now.'} Secrets are masked.
      </Text>
      {(['system', 'user'] as const).map((part) => (
        <section key={part} aria-label={part === 'system' ? 'Instructions' : 'About this failure'}>
          <div className={classes['part-head']}>
            <Text fw={600} size="sm">
              {part === 'system' ? 'Instructions' : 'About this failure'}
            </Text>
            <CopyButton text={data[part]}>Copy</CopyButton>
          </div>
          <pre className={`code-block ${lines['lines']}`} data-wrapped tabIndex={0}>
            {withSigns(data[part])}
          </pre>
        </section>
      ))}
    </div>
  );
}
