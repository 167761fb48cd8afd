import { useQuery } from '@tanstack/react-query';
import type { AppStatus } from '../../contract/settings.ts';
import { ask } from './request.ts';

/** The server's version, cluster and features; undefined until it has answered. */
export function useConfig(): AppStatus | undefined {
  return useQuery({ queryKey: ['config'], queryFn: ({ signal }) => ask<AppStatus>('/api/config', { signal }) }).data;
}
