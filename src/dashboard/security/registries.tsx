import { Text } from '@mantine/core';
import { Dialog } from '../components/dialog.tsx';
import { type ExclusionEntries, ExclusionList } from '../components/exclusion-list.tsx';
import { useReason } from '../components/guarded.tsx';

const REGISTRIES: ExclusionEntries = {
  kind: 'registry',
  path: '/api/security/trusted-registries',
  field: 'registry',
  title: 'Registries',
  about: 'Images from them are no finding of the check untrusted-registry. The scanner judges all images again after a change.',
  add: 'Trust',
  example: 'registry.example:5000/team',
  end: 'Trust no more',
};

/** The registries whose images cause no finding. */
export function Registries({ onClose }: { onClose(): void }) {
  const reason = useReason('write');
  return (
    <Dialog title="Trusted registries" onClose={onClose}>
      {reason === undefined ? (
        <ExclusionList list={REGISTRIES} />
      ) : (
        <Text size="sm">{reason.replace('This can be done by', 'They can be seen by')}</Text>
      )}
    </Dialog>
  );
}
