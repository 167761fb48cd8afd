import { Button, Checkbox, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useNow } from '../components/ago.tsx';
import classes from './notifications.module.css';
import { clockIn, type Day, DAYS, ownZone, type Quiet, quietText } from './quiet.ts';

const MOST = 16;

/** Times when nothing is sent. Messages wait until the end of quiet hours; ends of incidents are always sent. */
export function QuietHours({ hours, set }: { hours: Quiet[]; set(hours: Quiet[]): void }) {
  const zones = useId();
  const add = (): void => set([...hours, { from: '22:00', to: '07:00', timeZone: ownZone() }]);
  return (
    <>
      <p className={classes['small']}>What begins or changes then is told afterwards. Ends are told at once.</p>
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
      {hours.map((one, index) => (
        <OneQuietTime
          key={index}
          number={index + 1}
          one={one}
          zones={zones}
          set={(next) => set(hours.map((other, at) => (at === index ? next : other)))}
          remove={() => set(hours.filter((_, at) => at !== index))}
        />
      ))}
      <div>
        <Button variant="default" size="compact-sm" disabled={hours.length >= MOST} onClick={add}>
          Add quiet hours
        </Button>
      </div>
    </>
  );
}

interface OneProps {
  number: number;
  one: Quiet;
  /** Id of the list of time zones. */
  zones: string;
  set(one: Quiet): void;
  remove(): void;
}

function OneQuietTime({ number, one, zones, set, remove }: OneProps) {
  const now = useNow(20_000);
  const clock = clockIn(one.timeZone, now);
  const isUnknown = one.timeZone !== '' && clock === undefined;
  return (
    <fieldset className={classes['quiet']}>
      <legend>
        Quiet hours {number}: {quietText(one)}
      </legend>
      <Checkbox.Group
        label="On which days they begin"
        description="None chosen: every day"
        value={one.days ?? []}
        onChange={(days) => set({ ...one, days: days as Day[] })}
      >
        <div className={classes['choices']}>
          {DAYS.map((day) => (
            <Checkbox key={day} value={day} label={day} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes['times']}>
        <TextInput
          type="time"
          label="From"
          required
          value={one.from}
          onChange={(event) => set({ ...one, from: event.currentTarget.value })}
        />
        <TextInput type="time" label="To" required value={one.to} onChange={(event) => set({ ...one, to: event.currentTarget.value })} />
        <TextInput
          label="Time zone"
          list={zones}
          required
          maxLength={64}
          error={isUnknown && 'Nobody knows this time zone. Write it as Europe/Berlin.'}
          value={one.timeZone}
          onChange={(event) => set({ ...one, timeZone: event.currentTarget.value.trim() })}
        />
        <Button variant="default" size="compact-sm" onClick={remove} aria-label={`Remove quiet hours ${number}`}>
          Remove
        </Button>
      </div>
      {clock !== undefined && <p className={classes['small']}>It is {clock} there now.</p>}
    </fieldset>
  );
}
