import { Anchor, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { PageHead } from '../components/page-head.tsx';

/** The whole page while the operator does not answer. `detail` says why. */
export function Unreachable({ detail, onRetry }: { detail: string; onRetry: () => void }) {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center" maw={420}>
        <Title order={1}>Podmend cannot be reached</Title>
        <Text ta="center" role="alert">
          {detail}
        </Text>
        <Button onClick={onRetry}>Try again</Button>
      </Stack>
    </Center>
  );
}

/** For an address that leads nowhere. */
export function NotFound() {
  return (
    <>
      <PageHead title="Not found" />
      <Stack align="start" gap="sm">
        <Text>Nothing is at this address. It may have been deleted, or the link is incomplete.</Text>
        <Anchor component={Link} to="/">
          Go to the overview
        </Anchor>
      </Stack>
    </>
  );
}

/** While a screen is loading. */
export function Pending() {
  return (
    <Stack gap="sm" role="img" aria-label="Loading the screen">
      <Skeleton height={30} width={220} />
      <Skeleton height={180} />
    </Stack>
  );
}

/** Shown instead of a screen that failed. The rest of the page still works. */
export function Broken({ error, reset }: ErrorComponentProps) {
  return (
    <>
      <PageHead title="This screen failed" />
      <Stack align="start" gap="sm">
        <Text role="alert">{error instanceof Error ? error.message : String(error)}</Text>
        <Text c="dimmed">Load the page again. If it fails again, tell whoever maintains Podmend what is written above.</Text>
        <Group>
          <Button onClick={() => location.reload()}>Load the page again</Button>
          <Button variant="default" onClick={reset}>
            Try again
          </Button>
        </Group>
      </Stack>
    </>
  );
}
