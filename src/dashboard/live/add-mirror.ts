import { useQueryClient } from '@tanstack/react-query';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { applyToMirrors } from './apply.ts';

/** Adds a newly created mirror to the loaded data. */
export function useTaken(): (record: MirrorRecord) => void {
  const client = useQueryClient();
  return (record) =>
    void client.setQueryData<MirrorRecord[]>(['mirrors'], (known = []) =>
      // The socket may already have delivered a newer state.
      known.some(({ mirror_id }) => mirror_id === record.mirror_id) ? known : applyToMirrors(known, record),
    );
}
