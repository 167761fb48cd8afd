import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import type { FailureRecord } from '../../contract/failure.ts';
import { Prose } from '../prose.tsx';

/** Why it fails and what to do, as rules or a model told it. */
export function Solution({ failure: { solution, is_fallback: isFallback, suppressed_by: suppressedBy } }: { failure: FailureRecord }) {
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="solution-title">
      <Group justify="space-between" mb="xs">
        <Title order={3} id="solution-title">
          Why, and what to do
        </Title>
        {solution && (
          <Badge variant="default" title={isFallback ? 'Told by Podmend’s rules, without a language model' : 'Told by the language model'}>
            {isFallback ? 'Rules' : 'Model'}
          </Badge>
        )}
      </Group>
      {solution ? (
        <Prose text={solution} />
      ) : (
        <Text c="dimmed" size="sm">
          {suppressedBy ? 'What a Suppression hides is not explained.' : 'The explanation is being made; it appears here by itself.'}
        </Text>
      )}
    </Paper>
  );
}
