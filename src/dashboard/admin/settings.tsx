import { Button, NumberInput, Skeleton, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { SettingEntry } from '../../contract/settings.ts';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Row, Rows } from '../components/rows.tsx';
import { ask } from '../live/request.ts';
import classes from './admin.module.css';
import { isLengthUnit, lengthIn, lengthText } from './duration.ts';

/** Settings that administrators change while Podmend runs. */
export function Settings() {
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ask<SettingEntry[]>('/api/admin/settings', { signal }),
  });
  return (
    <>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={240} />}
      {data && (
        <Rows label="Settings">
          {data.map((setting) => (
            <Setting key={`${setting.key} ${setting.value}`} setting={setting} />
          ))}
        </Rows>
      )}
      <Text size="sm" c="dimmed">
        A change takes effect at once. What else can be configured stands in the environment of the operator.
      </Text>
    </>
  );
}

function Setting({ setting }: { setting: SettingEntry }) {
  const { key, value, unit, min, max, about } = setting;
  const client = useQueryClient();
  const length = isLengthUnit(unit) ? unit : undefined;
  const [{ typed }, set, clear] = useDraft<{ typed: number | string }>(`setting ${key}`, {
    typed: length ? lengthText(Number(value), length) : Number(value),
  });
  const type = (next: number | string): void => set({ typed: next });
  const save = useMutation({
    mutationFn: (next: string) => ask(`/api/admin/settings/${key}`, settingOf(key, next)),
    onSuccess: async () => {
      clear();
      await Promise.all([client.invalidateQueries({ queryKey: ['settings'] }), client.invalidateQueries({ queryKey: ['config'] })]);
    },
  });
  const meant = length ? lengthIn(String(typed), length) : Number(typed);
  const isRight = typed !== '' && Number.isInteger(meant) && Number(meant) >= min && Number(meant) <= max;
  const isChanged = String(meant) !== value;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRight && isChanged) save.mutate(String(meant));
  };
  return (
    <Row
      title={about.charAt(0).toUpperCase() + about.slice(1)}
      meta={
        <>
          <span className="mono">{key}</span>
          <span>{boundsOf(setting)}</span>
        </>
      }
      end={
        unit === 'switch' ? (
          <Switch
            aria-label={about}
            checked={value === '1'}
            disabled={save.isPending}
            onChange={(event) => save.mutate(event.currentTarget.checked ? '1' : '0')}
          />
        ) : (
          <form className={classes['setting']} onSubmit={submit}>
            {length ? (
              <TextInput
                size="xs"
                className={classes['length'] ?? ''}
                aria-label={about}
                error={isRight ? undefined : `With a unit: ${lengthText(Number(setting.default), length)}`}
                value={String(typed)}
                onChange={(event) => type(event.currentTarget.value)}
              />
            ) : (
              <>
                <NumberInput
                  size="xs"
                  className={classes['number'] ?? ''}
                  aria-label={`${about}, in ${unit}`}
                  min={min}
                  max={max}
                  allowDecimal={false}
                  hideControls
                  thousandSeparator=" "
                  error={!isRight}
                  value={typed}
                  onChange={type}
                />
                <Text size="xs" c="dimmed" className={classes['unit'] ?? ''}>
                  {unit}
                </Text>
              </>
            )}
            <Button size="xs" type="submit" variant="default" disabled={!isRight || !isChanged} loading={save.isPending}>
              Save
            </Button>
          </form>
        )
      }
    >
      <ErrorNotice error={save.error} />
    </Row>
  );
}

/** The default and the bounds of a setting in words: `30 days by default, 0 to 36600 days`. */
function boundsOf({ unit, min, max, default: usual }: SettingEntry): string {
  if (unit === 'switch') return `by default ${usual === '1' ? 'yes' : 'no'}`;
  const said = (value: number): string =>
    (isLengthUnit(unit) ? lengthText(value, unit) : String(value)).replaceAll(/\B(?=(\d{3})+\b)/g, '\u202f');
  const unitOf = isLengthUnit(unit) ? '' : ` ${unit}`;
  return `${said(Number(usual))}${unitOf} by default, ${said(min)} to ${said(max)}`;
}

/** The mirrors' TTL has its own endpoint with its own form. */
function settingOf(key: string, value: string) {
  if (key === 'mirror-ttl') return { method: 'PUT', body: { seconds: Number(value) } } as const;
  return { method: 'POST', body: { value } } as const;
}
