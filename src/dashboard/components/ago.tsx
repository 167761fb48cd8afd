import { useEffect, useState } from 'react';
import { ageOf, agoOf, exactly } from './times.ts';

/** The current time, updated at an interval. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** The time since `at`. The title is the exact time, also in UTC. It is only set on hover, because it would slow down scrolling. */
export function Ago({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const now = useNow(20_000);
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => void (currentTarget.title = exactly(date))}>
      {isShort ? ageOf(date, now) : agoOf(date, now)}
    </time>
  );
}
