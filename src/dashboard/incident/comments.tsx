import { Button, Group, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Comment } from '../../contract/comment.ts';
import { Ago } from '../components/ago.tsx';
import { ConfirmButton } from '../components/confirm.tsx';
import { usePerson } from '../components/current-user.ts';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useReason } from '../components/guarded.tsx';
import { exactly } from '../components/times.ts';
import { ask } from '../live/request.ts';
import { partsOf } from './comment-parts.ts';
import classes from './comments.module.css';

/** How many of the newest comments are shown first. */
const SHOWN = 5;
const MOST_CHARACTERS = 4000;

/** The comments on the incident, the newest last, and a form to add one. */
export function Comments({ incident }: { incident: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['comments', incident],
    queryFn: ({ signal }) => ask<Comment[]>(`/api/incidents/${incident}/comments`, { signal }),
  });
  const [areAllShown, showAll] = useState(false);
  const said = useRef<HTMLDivElement>(null);
  const comments = data ?? [];
  const shown = areAllShown ? comments : comments.slice(-SHOWN);
  const earlier = comments.length - shown.length;
  return (
    <section aria-label="Comments">
      <h3>Comments{comments.length > 0 && ` (${comments.length})`}</h3>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {earlier > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => showAll(true)}>
          Show {earlier} earlier
        </Button>
      )}
      <div ref={said} role="log" aria-label="Posted comments" aria-relevant="additions" tabIndex={-1}>
        {data && comments.length === 0 && <p className={classes['nothing']}>No comments yet.</p>}
        {shown.length > 0 && (
          <ol className={classes['comments']}>
            {shown.map((comment) => (
              <CommentItem key={comment.id} comment={comment} incident={incident} list={said} />
            ))}
          </ol>
        )}
      </div>
      <AddComment incident={incident} />
    </section>
  );
}

/** A change of the comments: applies the answer to the loaded list, then loads the list again. */
function useChange<T>(incident: number, change: (given: T) => Promise<(known: Comment[]) => Comment[]>, done: () => void) {
  const client = useQueryClient();
  const queryKey = ['comments', incident];
  return useMutation({
    mutationFn: change,
    onSuccess: async (apply) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<Comment[]>(queryKey, (known) => known && apply(known));
      done();
      await client.invalidateQueries({ queryKey });
    },
  });
}

interface CommentProps {
  comment: Comment;
  incident: number;
  /** Gets the focus when the comment is deleted. */
  list: RefObject<HTMLDivElement | null>;
}

function CommentItem({ comment, incident, list }: CommentProps) {
  const { id, role } = usePerson();
  const cannot = useReason('write');
  // The text of an edit; null: not edited. A draft, so that an edit survives the end of a session.
  const [{ text: edited }, set, clear] = useDraft<{ text: string | null }>(`comment:${incident}:${comment.id}`, { text: null });
  const path = `/api/incidents/${incident}/comments/${comment.id}`;
  const remove = useChange(
    incident,
    async () => {
      await ask(path, { method: 'DELETE' });
      return (known) => known.filter((one) => one.id !== comment.id);
    },
    () => list.current?.focus({ preventScroll: true }),
  );
  // When an edit ends, its field disappears and takes the focus with it.
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(edited !== null);
  useEffect(() => {
    if (edited === null && wasEditing.current && document.activeElement === document.body) editButton.current?.focus();
    wasEditing.current = edited !== null;
  }, [edited]);
  const isOwn = comment.author_id === id;
  return (
    <li>
      <div className={classes['by']}>
        <b>
          <bdi>{comment.author}</bdi>
        </b>
        <span className={classes['when']}>
          <Ago at={comment.created_at} />
          {comment.edited_at && <span title={`Edited: ${exactly(new Date(comment.edited_at))}`}> · edited</span>}
        </span>
      </div>
      {edited !== null ? (
        <EditComment path={path} incident={incident} text={edited} write={(text) => set({ text })} close={clear} />
      ) : (
        <p className={classes['text']} dir="auto">
          {partsOf(comment.text).map(({ text, isLink }, index) =>
            isLink ? (
              <a key={index} href={text} target="_blank" rel="noreferrer">
                {text}
              </a>
            ) : (
              text
            ),
          )}
        </p>
      )}
      {edited === null && cannot === undefined && (isOwn || role === 'admin') && (
        <Group gap={4}>
          {isOwn && (
            <Button ref={editButton} variant="subtle" color="gray" size="compact-xs" onClick={() => set({ text: comment.text })}>
              Edit
            </Button>
          )}
          <ConfirmButton
            variant="subtle"
            color="gray"
            size="compact-xs"
            sure="Delete the comment"
            disabled={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          >
            Delete
          </ConfirmButton>
        </Group>
      )}
      <ErrorNotice error={remove.error} />
    </li>
  );
}

interface EditCommentProps {
  /** The address of the comment. */
  path: string;
  incident: number;
  text: string;
  write(text: string): void;
  close(): void;
}

function EditComment({ path, incident, text, write, close }: EditCommentProps) {
  const save = useChange(
    incident,
    async (said: string) => {
      const changed = await ask<Comment>(path, { method: 'PATCH', body: { text: said } });
      return (known) => known.map((one) => (one.id === changed.id ? changed : one));
    },
    close,
  );
  return (
    <CommentForm
      label="Change the comment"
      verb="Save"
      text={text}
      write={write}
      send={save.mutate}
      isPending={save.isPending}
      error={save.error}
      cancel={close}
    />
  );
}

function AddComment({ incident }: { incident: number }) {
  const [{ text }, set, clear] = useDraft(`comment:${incident}`, { text: '' });
  const say = useChange(
    incident,
    async (said: string) => {
      const added = await ask<Comment>(`/api/incidents/${incident}/comments`, { method: 'POST', body: { text: said } });
      return (known) => [...known.filter(({ id }) => id !== added.id), added];
    },
    clear,
  );
  return (
    <CommentForm
      label="Comment"
      verb="Comment"
      text={text}
      write={(next) => set({ text: next })}
      send={say.mutate}
      isPending={say.isPending}
      error={say.error}
    />
  );
}

interface CommentFormProps {
  label: string;
  verb: string;
  text: string;
  write(text: string): void;
  send(text: string): void;
  isPending: boolean;
  error: Error | null;
  cancel?: () => void;
}

/** A text field with a button. Ctrl-Enter sends, Escape cancels an edit. The text stays when the server refuses it. */
function CommentForm({ label, verb, text, write, send, isPending, error, cancel }: CommentFormProps) {
  const cannot = useReason('write');
  const said = text.normalize('NFC').trim();
  const left = MOST_CHARACTERS - Array.from(said).length;
  const isReady = said !== '' && left >= 0 && !isPending && cannot === undefined;
  const submit = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (isReady) send(said);
  };
  return (
    <form onSubmit={submit} className={classes['writing']}>
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        aria-label={label}
        placeholder={cancel ? undefined : 'What did you find, or what are you doing? Secrets are masked.'}
        value={text}
        disabled={cannot !== undefined}
        title={cannot}
        error={left < 0 ? `${-left} characters too many` : undefined}
        ref={cancel ? focusOnce : undefined}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
          if (event.key === 'Escape' && cancel) cancel();
        }}
      />
      <Group gap="xs">
        <Button type="submit" size="compact-sm" variant="default" loading={isPending} disabled={!isReady} title={cannot ?? 'Ctrl-Enter'}>
          {verb}
        </Button>
        {cancel && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={cancel}>
            Cancel
          </Button>
        )}
      </Group>
      {cannot !== undefined && <p className={classes['nothing']}>{cannot}</p>}
      <ErrorNotice error={error} />
    </form>
  );
}

/** Focuses a new field, with the caret at the end. */
function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
