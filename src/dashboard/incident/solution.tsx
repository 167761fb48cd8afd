import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import type { FailureRecord } from '../../contract/failure.ts';
import { Prose } from '../components/prose.tsx';

/** Why it fails and what to do, from the rules or from a model. */
export function Solution({ failure: { solution, is_fallback: isFallback, suppressed_by: suppressedBy } }: { failure: FailureRecord }) {
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="solution-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="solution-title">
          Why, and what to do
        </Title>
        {solution && (
          <Badge
            variant="default"
            title={isFallback ? 'Podmend’s rules made this answer, without a language model' : 'The language model made this answer'}
          >
            {isFallback ? 'Rules' : 'Model'}
          </Badge>
        )}
      </Group>
      {solution ? (
        <Prose text={solution} />
      ) : (
        <Text c="dimmed" size="sm">
          {suppressedBy ? 'A suppressed failure gets no explanation.' : 'Podmend is making the explanation. It will appear here.'}
        </Text>
      )}
    </Paper>
  );
}
