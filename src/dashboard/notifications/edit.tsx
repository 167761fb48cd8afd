import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { NotificationSetting } from '../../contract/notification.ts';
import { useAddress } from '../components/address.ts';
import { ConfirmButton } from '../components/confirm.tsx';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { showDone } from '../components/undo.tsx';
import { ask } from '../live/request.ts';
import { type Draft, draftOf, emptyDraft, freeName, isSet, type Secrets, settingOf, withoutSecrets } from './draft.ts';
import { Form } from './form.tsx';
import classes from './notifications.module.css';
import { Preview } from './preview.tsx';
import { managerOf } from './row.tsx';
import { kindOf } from './types.ts';

interface EditProps {
  /** The stored setting; undefined for a new provider. */
  before: NotificationSetting | undefined;
  /** Names that are taken. */
  names: readonly string[];
}

/** The form of a provider, beside a preview of its messages. */
export function EditProvider({ before, names }: EditProps) {
  const [, change] = useAddress();
  const edit = useEdit(before, names);
  const { draft, setDraft, secrets, setSecret, setting, save, remove } = edit;
  const manager = before && managerOf(before);
  const locked = manager === undefined ? undefined : `Managed by ${manager}: change it at its source`;
  const wrong = wrongOf(setting, before ? [] : names);
  const stored = new Set(kindOf(draft.type).members.flatMap(({ name }) => (isSet(before, name) ? [name] : [])));
  return (
    <div className={classes['columns']}>
      <div>
        <Owner source={before?.source} locked={locked} />
        <Form
          isNew={before === undefined}
          nameOf={(type) => freeName(type, names)}
          locked={locked}
          draft={draft}
          set={(next) => setDraft((now) => ({ ...now, ...next }))}
          secrets={secrets}
          setSecret={setSecret}
          dropSecrets={edit.dropSecrets}
          stored={stored}
          onSubmit={() => {
            if (!('wrong' in setting) && wrong === undefined) save.mutate(setting);
          }}
        >
          {wrong !== undefined && (
            <Notice tone="bad" role="alert">
              {wrong}
            </Notice>
          )}
          <ErrorNotice error={save.error ?? remove.error} />
          <Buttons edit={edit} before={before} locked={locked} hindrance={locked ?? wrong} onLeave={() => change({ add: undefined })} />
        </Form>
      </div>
      {!('wrong' in setting) && <Preview setting={withoutSecrets(setting)} />}
    </div>
  );
}

type Edit = ReturnType<typeof useEdit>;

/** The typed text, its value, and how to save it. */
function useEdit(before: NotificationSetting | undefined, names: readonly string[]) {
  const [, change] = useAddress();
  const client = useQueryClient();
  const initial = before ? draftOf(before) : { ...emptyDraft('slack'), provider: freeName('slack', names) };
  const [draft, setDraft, clear] = useDraft<Draft>(before ? `provider ${before.provider}` : 'new provider', initial);
  // A secret is never kept as a draft; it exists only in this form.
  const [secrets, setSecrets] = useState<Secrets>({});
  const url = `/api/admin/notifications${before ? `/${encodeURIComponent(before.provider)}` : ''}`;
  const forget = (): void => {
    clear();
    setSecrets({});
  };
  /** The draft is removed before the form starts again from the saved value. */
  const stored = (next: NotificationSetting | undefined): void => {
    flushSync(forget);
    client.setQueryData<NotificationSetting[]>(['providers'], (known) => {
      const others = known?.filter(({ provider }) => provider !== (next ?? before)?.provider);
      return others && (next ? [...others, next] : others);
    });
    void client.invalidateQueries({ queryKey: ['providers'] });
    change({ add: undefined, provider: next?.provider });
    showDone({ message: next ? `${next.provider} is saved. Test tells whether messages arrive.` : `${before?.provider} is removed` });
  };
  const save = useMutation({
    mutationFn: (body: NotificationSetting) => ask<NotificationSetting>(url, { method: before ? 'PUT' : 'POST', body }),
    onSuccess: stored,
  });
  const remove = useMutation({
    mutationFn: () => ask<undefined>(url, { method: 'DELETE' }),
    onSuccess: () => stored(undefined),
  });
  return {
    ...{ draft, setDraft, secrets, save, remove },
    setting: settingOf(draft, secrets, before),
    isChanged: JSON.stringify(draft) !== JSON.stringify(initial) || Object.keys(secrets).length > 0,
    setSecret: (name: string, value: string | null | undefined) =>
      setSecrets(({ [name]: _, ...others }) => (value === undefined ? others : { ...others, [name]: value })),
    dropSecrets: () => setSecrets({}),
    discard(): void {
      forget();
      save.reset();
    },
  };
}

function wrongOf(setting: NotificationSetting | { wrong: string }, names: readonly string[]): string | undefined {
  if ('wrong' in setting) return setting.wrong;
  return names.includes(setting.provider) ? `There is a provider ${setting.provider} already.` : undefined;
}

/** Tells which other tool manages the provider, if there is one. */
function Owner({ source, locked }: { source: string | undefined; locked: string | undefined }) {
  if (locked !== undefined)
    return (
      <div className={classes['said']}>
        <Notice tone="unsure" title={locked}>
          {source} would undo a change made here. The API refuses it with 409.
        </Notice>
      </div>
    );
  if (source !== 'kubectl') return null;
  return (
    <div className={classes['said']}>
      <p className={classes['small']}>It was made with kubectl: whoever applies that file again undoes what changes here.</p>
    </div>
  );
}

interface ButtonsProps {
  edit: Edit;
  before: NotificationSetting | undefined;
  locked: string | undefined;
  /** Why it cannot be saved. */
  hindrance: string | undefined;
  /** Called when the person cancels a new provider. */
  onLeave(): void;
}

function Buttons({ edit: { isChanged, save, remove, discard }, before, locked, hindrance, onLeave }: ButtonsProps) {
  const why = hindrance ?? (before && !isChanged ? 'Nothing has changed' : undefined);
  return (
    <Group gap="sm">
      <Button type="submit" loading={save.isPending} disabled={why !== undefined} title={why}>
        {before ? 'Save' : 'Create'}
      </Button>
      {(isChanged || !before) && (
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            discard();
            if (!before) onLeave();
          }}
        >
          Discard
        </Button>
      )}
      {before && (
        <ConfirmButton
          size="sm"
          sure={`Remove ${before.provider} and its secrets`}
          loading={remove.isPending}
          disabled={locked !== undefined}
          title={locked}
          onConfirm={() => remove.mutate()}
        >
          Remove
        </ConfirmButton>
      )}
    </Group>
  );
}
