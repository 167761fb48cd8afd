import { useQueryClient } from '@tanstack/react-query';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { applyToMirrors } from './apply.ts';

/** Takes a mirror that was just made into what is shown. */
export function useTaken(): (record: MirrorRecord) => void {
  const client = useQueryClient();
  return (record) =>
    void client.setQueryData<MirrorRecord[]>(['mirrors'], (known = []) =>
      // The socket may have delivered a newer state already.
      known.some(({ mirror_id }) => mirror_id === record.mirror_id) ? known : applyToMirrors(known, record),
    );
}
