import { useQuery } from '@tanstack/react-query';
import type { AppStatus } from '../../contract/settings.ts';
import { ask } from './ask.ts';

/** What the server says of itself: version, cluster, features. Undefined until it has answered. */
export function useConfig(): AppStatus | undefined {
  return useQuery({ queryKey: ['config'], queryFn: ({ signal }) => ask<AppStatus>('/api/config', { signal }) }).data;
}
