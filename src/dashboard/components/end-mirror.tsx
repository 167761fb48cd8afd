import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { ask } from '../live/request.ts';
import { ConfirmButton } from './confirm.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Guarded } from './guarded.tsx';

/**
 * A button that ends a running mirror. It asks first instead of offering Undo, because people may need to stop it at once. Its results
 * stay, and the same mirror can be started again.
 */
export function EndMirror({ mirror }: { mirror: MirrorRecord }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => ask<undefined>(`/api/mirror/${mirror.mirror_id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['mirrors'] }),
  });
  return (
    <div>
      <Guarded needs="write">
        <ConfirmButton sure={`End ${mirror.source_pod_name.slice(0, 24)}’s mirror`} loading={end.isPending} onConfirm={() => end.mutate()}>
          End
        </ConfirmButton>
      </Guarded>
      <ErrorNotice error={end.error} />
    </div>
  );
}
