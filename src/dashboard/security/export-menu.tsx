import { Button, Menu } from '@mantine/core';
import type { Finding } from '../../contract/finding.ts';
import { Down } from '../components/icons.tsx';
import { csvOf } from './export.ts';

/** Saves the findings that the filters let through. */
export function ExportMenu({ findings }: { findings: readonly Finding[] }) {
  const save = (type: string, ending: string, text: string): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `findings-${new Date().toISOString().slice(0, 10)}.${ending}`;
    link.click();
    // The browser has taken the text when it comes back here.
    setTimeout(() => URL.revokeObjectURL(link.href));
  };
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<Down size={13} />} disabled={findings.length === 0}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('text/csv', 'csv', csvOf(findings))}>CSV, as filtered</Menu.Item>
        <Menu.Item onClick={() => save('application/json', 'json', `${JSON.stringify(findings, null, 2)}\n`)}>JSON, as filtered</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
