import { type RawBuilder, sql } from 'kysely';

/** Occurrences are counted per hour (UTC) for 24 hours, including the current hour. */
const HOURS = 24;
const HOUR_MS = 3_600_000;

/** A number of hours ago (0: the current hour), and how many occurrences that hour had. */
export type HourCount = [hoursAgo: number, count: number];

/** SQL for the hour of a timestamp, in hours since 1970. */
export const hourOf = (column: string): RawBuilder<unknown> => sql`floor(extract(epoch from ${sql.ref(column)}) / 3600)::int`;

const later = sql`excluded.occurrence_hour - f.occurrence_hour`;
/** The index of an earlier hour in the stored counts. */
const place = sql`f.occurrence_hour - excluded.occurrence_hour + 1`;

/**
 * SQL for the columns of record `f` after the occurrence of row `excluded`. An occurrence that is reported late counts in its own hour. Most
 * occurrences are in the newest hour or a later one, so only a late one takes more than a few array operations.
 */
export const afterOccurrence = {
  hour: sql`greatest(f.occurrence_hour, excluded.occurrence_hour)`,
  counts: sql`case
    when f.occurrence_hour is null or ${later} >= ${sql.lit(HOURS)} then array[1]
    when ${later} = 0 then (f.occurrence_counts[1] + 1) || f.occurrence_counts[2:]
    when ${later} > 0 then (1 || array_fill(0, array[${later} - 1]) || f.occurrence_counts)[:${sql.lit(HOURS)}]
    when ${place} > ${sql.lit(HOURS)} then f.occurrence_counts
    else f.occurrence_counts[:${place} - 1] || array_fill(0, array[greatest(0, ${place} - 1 - cardinality(f.occurrence_counts))])
      || (coalesce(f.occurrence_counts[${place}], 0) + 1) || f.occurrence_counts[${place} + 1:] end`,
};

/** The hour of a time, in hours since 1970. */
export function hourAt(now: Date): number {
  return Math.floor(now.getTime() / HOUR_MS);
}

/**
 * SQL for the hours within the last 24 in which an incident occurred, as JSON of `HourCount[]`; null if there are none. Closed records count
 * too. `hour` is the current hour.
 */
export function occurrenceHours(incident: RawBuilder<unknown>, hour: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select json_agg(json_build_array(o.ago, o.count) order by o.ago) from (
    select ${hour} - f.occurrence_hour + c.place::int - 1 as ago, sum(c.count)::int as count
    from failures f cross join unnest(f.occurrence_counts) with ordinality c(count, place)
    where f.incident_id = ${incident} and f.occurrence_hour > ${hour} - ${sql.lit(HOURS)} and c.count > 0 group by 1) o
    where o.ago between 0 and ${sql.lit(HOURS - 1)})`;
}

/** The count of each of the last 24 hours, oldest first; the last one is the current hour. */
export function hourlyCounts(hours: readonly HourCount[] | null): number[] {
  const known = new Map(hours);
  return Array.from({ length: HOURS }, (_, index) => known.get(HOURS - 1 - index) ?? 0);
}
