import { Button, Group, Menu, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Search } from '../components/address.ts';
import { usePerson } from '../components/current-user.ts';
import { useDraft } from '../components/draft.ts';
import { Dialog } from '../components/dialog.tsx';
import { Check, Down } from '../components/icons.tsx';
import { showDone } from '../components/undo.tsx';
import classes from './incidents.module.css';
import { isCalled, LONGEST_NAME, queryOfView, type SavedView, searchOfView, storedViews, withoutView, withView } from './views.ts';

interface SavedViewsProps {
  search: Search;
  change(changes: Search, how?: 'replace' | 'push'): void;
}

/** Named filters: open, save and delete them. They stay in this browser, for this person. */
export function SavedViews({ search, change }: SavedViewsProps) {
  const key = `views:${usePerson().id}`;
  const [views, setViews] = useState(() => storedViews(localStorage.getItem(key)));
  const [isNaming, setNaming] = useState(false);
  const query = queryOfView(search);
  const current = views.find((one) => one.query === query);
  /** Reads storage again, because another window may have saved a view. */
  const store = (changed: (stored: SavedView[]) => SavedView[]): void => {
    const next = changed(storedViews(localStorage.getItem(key)));
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const save = (name: string): void => {
    store((stored) => withView(stored, { name, query }));
    setNaming(false);
    showDone({ message: `View “${name}” saved in this browser` });
  };
  const remove = (view: SavedView): void => {
    store((stored) => withoutView(stored, view.name));
    showDone({ message: `View “${view.name}” deleted`, undo: async () => store((stored) => withView(stored, view)) });
  };
  return (
    <>
      <Menu position="bottom-end" width={260} onOpen={() => setViews(storedViews(localStorage.getItem(key)))}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            className={classes['views']}
            rightSection={<Down size={13} />}
            aria-label="Saved views"
          >
            <bdi className={classes['view-name']}>{current?.name ?? 'Views'}</bdi>
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} className={classes['view-list']}>
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              aria-current={view === current || undefined}
              rightSection={view === current && <Check size={14} />}
              onClick={() => change(searchOfView(view.query), 'push')}
            >
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {current ? (
            <Menu.Item onClick={() => remove(current)}>
              Delete “<bdi>{current.name}</bdi>”
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => setNaming(true)}>Save this view…</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && <NameView views={views} onSave={save} onClose={() => setNaming(false)} />}
    </>
  );
}

interface NameViewProps {
  views: readonly SavedView[];
  onSave(name: string): void;
  onClose(): void;
}

function NameView({ views, onSave, onClose }: NameViewProps) {
  const [{ typed }, type, clear] = useDraft('view', { typed: '' });
  const name = typed.trim();
  const replaced = views.find((one) => isCalled(one, name));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name === '') return;
    clear();
    onSave(name);
  };
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <form onSubmit={submit}>
        <TextInput
          label="Name"
          description="It is kept in this browser, for you alone. To share it, send the address of the page."
          required
          maxLength={LONGEST_NAME}
          data-autofocus
          value={typed}
          onChange={(event) => type({ typed: event.currentTarget.value })}
        />
        <Group mt="md" gap="sm">
          <Button type="submit">{replaced ? `Replace “${replaced.name}”` : 'Save'}</Button>
          <Button
            variant="default"
            onClick={() => {
              clear();
              onClose();
            }}
          >
            Cancel
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
