import { Button, Checkbox, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { PodLog } from '../../contract/log.ts';
import { CopyButton } from './copy.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { ask } from '../live/request.ts';
import { withSigns } from './unseen-characters.ts';
import classes from './log-view.module.css';

/** The maximum number of lines per request. */
const TAIL = 2000;
/** The maximum number of lines in the browser, because a program may log without end. */
const MOST_LINES = 5000;
/** How long lines of a running log are collected before they are drawn. */
const GATHER_MS = 200;

/** Which log: live, of the previous run, or as reported. */
type Which = 'live' | 'previous' | 'reported';

interface LogViewProps {
  namespace: string;
  pod: string;
  /** The reported log; absent if there is none, as for a mirror. */
  reported?: string | null | undefined;
  /** Known containers, before the log was read. */
  containers?: readonly string[];
  container?: string | null;
  /** The line of the reported log to scroll to, counted from 0. */
  at?: number | undefined;
  height?: 'short' | 'tall';
  /** The pod is gone, but the end of its log was kept. */
  isKept?: boolean;
}

/** The log of a pod: by container; live, previous or reported; with search, wrap, copy and download. */
export function LogView({
  namespace,
  pod,
  reported,
  containers = [],
  container = null,
  at,
  height = 'tall',
  isKept = false,
}: LogViewProps) {
  const [which, setWhich] = useState<Which>(reported === undefined ? 'live' : 'reported');
  const [named, setNamed] = useState<string | null>(container);
  const [search, setSearch] = useState('');
  const [isWrapped, wrap] = useState(true);
  const source = useLines({ which, namespace, pod, container: named, reported: reported ?? '' });
  const all = [...new Set([...containers, ...source.containers])];
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    const numbered = source.lines.map((text, index) => ({ text, index }));
    return wanted === '' ? numbered : numbered.filter(({ text }) => text.toLowerCase().includes(wanted));
  }, [source.lines, search]);
  const text = source.lines.join('\n');
  const choices = [
    ...(reported === undefined ? [] : [{ value: 'reported', label: 'Reported' }]),
    { value: 'live', label: isKept ? 'Last run' : 'Live' },
    { value: 'previous', label: 'Previous run' },
  ];
  return (
    <div className={classes['view']}>
      <Group gap="xs">
        <SegmentedControl size="xs" aria-label="Which log" data={choices} value={which} onChange={(value) => setWhich(value as Which)} />
        {all.length > 1 && which !== 'reported' && (
          <Select
            size="xs"
            aria-label="Container"
            w={150}
            data={all}
            value={named ?? source.container}
            onChange={setNamed}
            allowDeselect={false}
          />
        )}
        <TextInput
          size="xs"
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
          className={classes['search']}
        />
        <Checkbox size="xs" label="Wrap" checked={isWrapped} onChange={(event) => wrap(event.currentTarget.checked)} />
        <CopyButton text={text} size="compact-xs">
          Copy
        </CopyButton>
        <Button variant="default" size="compact-xs" onClick={() => download(`${pod}-${which}.log`, text)}>
          Download
        </Button>
      </Group>
      <ErrorNotice error={source.error} onRetry={source.retry} />
      <Lines
        lines={shown}
        at={which === 'reported' ? at : undefined}
        isWrapped={isWrapped}
        height={height}
        isFollowing={which === 'live' && search === ''}
      />
      <p className={classes['note']} role="status">
        {search ? `${shown.length} of ${source.lines.length} lines` : source.note}
      </p>
    </div>
  );
}

interface LinesProps {
  lines: { text: string; index: number }[];
  at: number | undefined;
  isWrapped: boolean;
  height: 'short' | 'tall';
  /** Scrolls with new lines while the end is in view. */
  isFollowing: boolean;
}

function Lines({ lines, at, isWrapped, height, isFollowing }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  const id = useId();
  useEffect(() => {
    const element = box.current;
    if (element && isFollowing && wasAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines, isFollowing]);
  useEffect(() => {
    if (at === undefined) return;
    const line = document.getElementById(`${id}-${at}`);
    line?.scrollIntoView({ block: 'center' });
    line?.focus({ preventScroll: true });
  }, [at, id, lines.length]);
  const scrolled = (): void => {
    const element = box.current;
    if (element) wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 20;
  };
  return (
    <div
      ref={box}
      className={`code-block ${classes['lines']}`}
      data-wrapped={isWrapped || undefined}
      data-height={height}
      tabIndex={0}
      role="region"
      aria-label="Log"
      onScroll={scrolled}
    >
      {lines.length === 0 && <span className={classes['none']}>No lines.</span>}
      {lines.map(({ text, index }) => (
        <div
          key={index}
          id={`${id}-${index}`}
          className={classes['line']}
          data-at={index === at || undefined}
          tabIndex={index === at ? -1 : undefined}
        >
          <bdi>{withSigns(text) || ' '}</bdi>
        </div>
      ))}
    </div>
  );
}

interface Source {
  lines: string[];
  container: string | null;
  containers: readonly string[];
  error: Error | null;
  retry(): void;
  note: string;
}

interface Wanted {
  which: Which;
  namespace: string;
  pod: string;
  container: string | null;
  reported: string;
}

function useLines({ which, namespace, pod, container, reported }: Wanted): Source {
  const path = `/api/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(pod)}/logs`;
  const query = (over: Record<string, string>): string =>
    new URLSearchParams({ ...(container && { container }), tail_lines: String(TAIL), ...over }).toString();
  const read = useQuery({
    queryKey: ['log', namespace, pod, container, which],
    queryFn: ({ signal }) => ask<PodLog>(`${path}?${query(which === 'previous' ? { previous: 'true' } : { tail_lines: '1' })}`, { signal }),
    enabled: which !== 'reported',
    staleTime: 0,
    retry: false,
  });
  const stream = useStream(which === 'live' && read.isSuccess ? `${path}/stream?${query({})}` : null);
  const old = useMemo(() => linesOf(reported), [reported]);
  const previous = useMemo(() => linesOf(read.data?.logs ?? ''), [read.data?.logs]);
  const about = { container: read.data?.container ?? null, containers: read.data?.containers ?? [], retry: () => void read.refetch() };
  if (which === 'reported') return { ...about, lines: old, error: null, note: old.length > 0 ? '' : 'No log was reported.' };
  if (which === 'previous') return { ...about, lines: previous, error: read.error, note: read.isPending ? 'Loading' : '' };
  return {
    ...about,
    lines: stream.lines,
    error: read.error,
    note: stream.isOver ? 'The container has ended.' : stream.isLost ? 'The log is interrupted; it goes on by itself.' : '',
  };
}

interface Stream {
  lines: string[];
  isOver: boolean;
  isLost: boolean;
}

const EMPTY: Stream = { lines: [], isOver: false, isLost: false };

/** The lines of a running container, streamed. */
function useStream(url: string | null): Stream {
  const [state, set] = useState<{ url: string | null; stream: Stream }>({ url: null, stream: EMPTY });
  useEffect(() => {
    if (!url) return;
    const source = new EventSource(url);
    let waiting: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const change = (next: (before: Stream) => Stream): void =>
      set((before) => ({ url, stream: next(before.url === url ? before.stream : EMPTY) }));
    const take = (): void => {
      timer = undefined;
      const fresh = waiting;
      waiting = [];
      change((before) => ({ ...before, isLost: false, lines: [...before.lines, ...fresh].slice(-MOST_LINES) }));
    };
    source.addEventListener('message', ({ data }) => {
      waiting.push(String(data));
      timer ??= setTimeout(take, GATHER_MS);
    });
    source.addEventListener('end', () => {
      source.close();
      change((before) => ({ ...before, isOver: true }));
    });
    source.addEventListener('error', () => change((before) => ({ ...before, isLost: !before.isOver })));
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [url]);
  return state.url === url ? state.stream : EMPTY;
}

function linesOf(text: string): string[] {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
  return whole === '' ? [] : whole.split('\n');
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
