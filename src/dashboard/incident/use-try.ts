import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OfferedCorrection } from '../../contract/diagnosis.ts';
import type { DeployMirror, MirrorPreview, MirrorRecord } from '../../contract/mirror.ts';
import { ask } from '../live/request.ts';
import { useTaken } from '../live/add-mirror.ts';

interface Wish {
  correction: OfferedCorrection;
  terms: Pick<DeployMirror, 'ttl_seconds' | 'acknowledge_side_effects'>;
}

/**
 * Tries a correction. The server runs the content of a stored preview, so one is made first. If it no longer contains the correction that
 * the person saw, nothing runs and the screen reloads.
 */
export function useTry(id: number) {
  const client = useQueryClient();
  const taken = useTaken();
  return useMutation({
    mutationFn: async ({ correction, terms }: Wish): Promise<MirrorRecord> => {
      const { candidates } = await ask<MirrorPreview>(`/api/mirror/preview/${id}`, { method: 'POST' });
      const candidate = candidates.findIndex(
        ({ fixed_manifest, mirrorable }) => mirrorable && fixed_manifest === correction.fixed_manifest,
      );
      if (candidate < 0) {
        void client.invalidateQueries({ queryKey: ['diagnosis', id] });
        throw new Error('The workload has changed meanwhile, and so has this correction. Look at it again, then try it.');
      }
      return ask<MirrorRecord>(`/api/mirror/deploy/${id}`, { method: 'POST', body: { candidate, ...terms } satisfies DeployMirror });
    },
    onSuccess: taken,
  });
}
