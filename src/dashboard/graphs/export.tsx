import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { copyText } from '../components/copy.tsx';
import { Down } from '../components/icons.tsx';
import { askText } from '../live/request.ts';
import type { Places } from './layout/positions.ts';
import type { Part } from './visible-part.ts';
import { pictureOf } from './svg.ts';

interface ExportProps {
  /** The graph from the API. */
  path: string;
  /** The nodes on the screen and their places; undefined during the layout. */
  drawn: { part: Part; places: Places } | undefined;
  /** Of the files, without an ending. */
  name: string;
}

/** Exports the graph as Mermaid text, SVG or PNG. */
export function Export({ path, drawn, name }: ExportProps) {
  const run = (what: string, work: () => Promise<string>): void => {
    work().then(
      (said) => void notifications.show({ message: said, role: 'status', color: 'gray', withBorder: true }),
      (error: Error) => void notifications.show({ title: what, message: error.message, role: 'alert', color: 'red', withBorder: true }),
    );
  };
  const mermaid = async (): Promise<string> => {
    await copyText(await askText(`${path}${path.includes('?') ? '&' : '?'}format=mermaid`));
    return 'Copied: paste it where Mermaid is drawn, such as a Markdown file';
  };
  const svg = async (): Promise<string> => {
    if (drawn) save(`${name}.svg`, new Blob([pictureOf(drawn.part, drawn.places)], { type: 'image/svg+xml' }));
    return `${name}.svg is saved`;
  };
  const png = async (): Promise<string> => {
    if (drawn) save(`${name}.png`, await painted(pictureOf(drawn.part, drawn.places)));
    return `${name}.png is saved`;
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<Down size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => run('Not copied', mermaid)}>Copy as Mermaid</Menu.Item>
        <Menu.Item disabled={!drawn} onClick={() => run('Not saved', svg)}>
          Save as SVG
        </Menu.Item>
        <Menu.Item disabled={!drawn} onClick={() => run('Not saved', png)}>
          Save as PNG
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Browsers paint no larger canvas. */
const MOST_PIXELS = 8_192;

async function painted(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(2, MOST_PIXELS / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser did not paint the picture. Save it as SVG.')))),
  );
}
