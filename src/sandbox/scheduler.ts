import type { Api } from './api.ts';
export function startScheduler(_api: Api): () => void {
  return () => undefined;
}
