import { Button, Menu } from '@mantine/core';
import type { Finding } from '../../contract/finding.ts';
import { Down } from '../components/icons.tsx';
import { queryOf } from '../components/query-of.ts';
import { csvHead, csvRows, FINDING_TABLE } from '../../contract/finding-table.ts';
import type { Filters } from './filters.ts';

interface ExportProps {
  /** The findings that pass the filters. */
  findings: readonly Finding[];
  filters: Filters;
  namespace: string | undefined;
}

/** Exports the findings that pass the filters. Reports contain those that pass the server's filters. */
export function ExportMenu({ findings, filters: { status, check, q }, namespace }: ExportProps) {
  const save = (type: string, ending: string, text: string): void => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `findings-${new Date().toISOString().slice(0, 10)}.${ending}`;
    link.click();
    // By then the browser has read the text.
    setTimeout(() => URL.revokeObjectURL(link.href));
  };
  const reports = `/api/security/findings${queryOf({ status, check, q, namespace, format: 'openreports' })}`;
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" rightSection={<Down size={13} />} disabled={findings.length === 0}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('text/csv', 'csv', csvHead(FINDING_TABLE) + csvRows(FINDING_TABLE, findings))}>
          CSV, as filtered
        </Menu.Item>
        <Menu.Item onClick={() => save('application/json', 'json', `${JSON.stringify(findings, null, 2)}\n`)}>JSON, as filtered</Menu.Item>
        <Menu.Item component="a" href={reports} download="findings.yaml">
          OpenReports, of any severity
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
