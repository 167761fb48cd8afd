import { Checkbox, NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import { CHAT_ROLES, type Draft, EVENTS, filterText, GROUPS, groupingText, type Secrets } from './draft.ts';
import { eventName } from '../components/delivery-words.ts';
import classes from './notifications.module.css';
import { QuietHours } from './quiet-hours.tsx';
import { hasChat, KINDS, kindOf, type Member } from './types.ts';

/** State that all fields of the form share: the typed text and how to change it. */
export interface Fields {
  draft: Draft;
  set(change: Partial<Draft>): void;
}

interface FormProps extends Fields {
  isNew: boolean;
  /** The name of a new provider of this type, until a person names it. */
  nameOf(type: string): string;
  /** Why nothing can be changed; undefined if it can. */
  locked: string | undefined;
  secrets: Secrets;
  setSecret(name: string, value: string | null | undefined): void;
  /** Drops typed secrets, because one service's secret must not go to another. */
  dropSecrets(): void;
  /** Names of the secrets that are stored. */
  stored: ReadonlySet<string>;
  onSubmit(): void;
  /** Buttons, errors. */
  children: ReactNode;
}

const TYPES = Object.entries(KINDS).map(([value, { name }]) => ({ value, label: name }));

/** The form of one provider. Rarely changed settings are folded, with a summary. */
export function Form({ isNew, nameOf, locked, secrets, setSecret, dropSecrets, stored, onSubmit, children, ...fields }: FormProps) {
  const { draft, set } = fields;
  const kind = kindOf(draft.type);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label={isNew ? 'New provider' : `Provider ${draft.provider}`}>
      <fieldset className={classes['fields']} disabled={locked !== undefined} title={locked}>
        <legend className={classes['legend']}>Where to</legend>
        <NativeSelect
          label="Service"
          data={TYPES}
          value={draft.type}
          onChange={(event) => {
            const type = event.currentTarget.value;
            dropSecrets();
            set({ type, ...(isNew && draft.provider === nameOf(draft.type) && { provider: nameOf(type) }) });
          }}
        />
        <TextInput
          label="Name"
          description={isNew ? 'Lower-case letters, digits and -' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          maxLength={63}
          pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          autoComplete="off"
          readOnly={!isNew}
          value={draft.provider}
          onChange={(event) => set({ provider: event.currentTarget.value })}
        />
        <p className={classes['about']}>{kind.about}</p>
        {kind.members.map((member) =>
          member.isSecret ? (
            <SecretField
              key={member.name}
              member={member}
              isStored={stored.has(member.name)}
              value={secrets[member.name]}
              setValue={(value) => setSecret(member.name, value)}
            />
          ) : (
            <TextInput
              key={member.name}
              label={member.label}
              description={member.hint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required={member.isRequired ?? false}
              placeholder={member.example}
              maxLength={253}
              autoComplete="off"
              value={draft.members[member.name] ?? ''}
              onChange={(event) => set({ members: { ...draft.members, [member.name]: event.currentTarget.value } })}
            />
          ),
        )}
        {draft.type === 'webhook' && (
          <NativeSelect
            label="Format"
            data={[
              { value: '', label: 'JSON' },
              { value: 'cloudevents', label: 'CloudEvents 1.0' },
            ]}
            value={draft.format === 'cloudevents' ? 'cloudevents' : ''}
            onChange={(event) => set({ format: event.currentTarget.value })}
          />
        )}
        <Switch
          className={classes['wide'] ?? ''}
          label="Messages are sent"
          checked={draft.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </fieldset>
      <fieldset className={classes['folds']} disabled={locked !== undefined} title={locked}>
        <What {...fields} />
        <HowOften {...fields} />
        <Fold title="Quiet hours" now={draft.quietHours.length === 0 ? 'none' : String(draft.quietHours.length)}>
          <QuietHours hours={draft.quietHours} set={(quietHours) => set({ quietHours })} />
        </Fold>
        {hasChat(draft.type) && <WhoMayAct {...fields} />}
      </fieldset>
      {children}
    </form>
  );
}

interface SecretProps {
  member: Member;
  isStored: boolean;
  /** Undefined: not touched; null: to be removed. */
  value: string | null | undefined;
  setValue(value: string | null | undefined): void;
}

/** A secret can be written but not read: the field only shows whether one is stored. */
function SecretField({ member: { label, hint, example, isRequired, isLong }, isStored, value, setValue }: SecretProps) {
  const common = {
    label,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    required: isRequired === true && !isStored,
    autoComplete: 'off',
    placeholder: value === null ? 'Will be removed' : isStored ? 'Stored. Type to replace it' : example,
    value: value ?? '',
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value || undefined),
  };
  const canGo = isStored && !isRequired;
  const description =
    hint || canGo ? (
      <>
        {hint}{' '}
        {canGo && (
          <button type="button" className="text-button" data-link onClick={() => setValue(value === null ? undefined : null)}>
            {value === null ? `Keep it` : `Remove ${label.toLowerCase()}`}
          </button>
        )}
      </>
    ) : undefined;
  return isLong ? (
    <Textarea {...common} description={description} rows={2} maxLength={65_536} className={classes['wide'] ?? ''} />
  ) : (
    <PasswordInput {...common} description={description} maxLength={8_192} />
  );
}

/** A folded part of the form with a summary. */
export function Fold({ title, now, children }: { title: string; now: string; children: ReactNode }) {
  return (
    <details className={classes['fold']}>
      <summary>
        <b>{title}</b> <span>{now}</span>
      </summary>
      <div className={classes['fold-body']}>{children}</div>
    </details>
  );
}

const GLOBS: [field: 'namespaces' | 'excludeNamespaces' | 'reasons' | 'labels', label: string, example: string][] = [
  ['namespaces', 'Only these namespaces', 'shop, team-*'],
  ['excludeNamespaces', 'Not these namespaces', 'shop-preview'],
  ['reasons', 'Only these reasons', 'OOMKilled, ImagePull*'],
  ['labels', 'Only pods with these labels', 'app=web, tier in (a, b), !canary'],
];

function What({ draft, set }: Fields) {
  return (
    <Fold title="What is told" now={filterText(draft)}>
      <Checkbox.Group
        label="Only these events"
        description="None chosen: all of them"
        value={draft.events}
        onChange={(events) => set({ events })}
      >
        <div className={classes['choices']}>
          {EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={eventName(event)} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes['fields']}>
        {GLOBS.map(([field, label, placeholder]) => (
          <TextInput
            key={field}
            label={label}
            placeholder={placeholder}
            maxLength={4_096}
            value={draft[field]}
            onChange={(event) => set({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
      <Switch
        label="The end of an incident is told"
        checked={draft.sendResolved}
        onChange={(event) => set({ sendResolved: event.currentTarget.checked })}
      />
    </Fold>
  );
}

const NUMBERS: [
  field: 'waitSeconds' | 'intervalSeconds' | 'repeatSeconds' | 'minOccurrences' | 'windowSeconds',
  label: string,
  usual: string,
  max: number,
][] = [
  ['waitSeconds', 'Wait before the first message, in seconds', '0', 3_600],
  ['intervalSeconds', 'Shortest time between two messages, in seconds', '30', 86_400],
  ['repeatSeconds', 'Say it again after so many seconds', '0: never', 604_800],
  ['minOccurrences', 'Only after so many failures', '1', 1_000],
  ['windowSeconds', 'Within so many seconds', '3600', 86_400],
];

function HowOften({ draft, set }: Fields) {
  return (
    <Fold title="How often" now={groupingText(draft)}>
      <Checkbox.Group
        label="What shares one message"
        description="Several together narrow it. None chosen: each incident has its own."
        value={draft.by}
        onChange={(by) => set({ by })}
      >
        <div className={classes['choices']}>
          {GROUPS.map((group) => (
            <Checkbox key={group} value={group} label={`The same ${group}`} />
          ))}
        </div>
      </Checkbox.Group>
      <div className={classes['fields']}>
        {NUMBERS.map(([field, label, usual, max]) => (
          <TextInput
            key={field}
            type="number"
            inputMode="numeric"
            min={field === 'minOccurrences' || field === 'windowSeconds' ? 1 : 0}
            max={max}
            step={1}
            label={label}
            placeholder={usual}
            value={draft[field]}
            onChange={(event) => set({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
    </Fold>
  );
}

function WhoMayAct({ draft, set }: Fields) {
  const people = draft.users.split('\n').filter((line) => line.trim() !== '').length;
  const now = draft.defaultRole === '' && people === 0 ? 'nobody' : `${draft.defaultRole || 'nobody'} and ${people} people`;
  const id = useId();
  return (
    <Fold title="Who may act from the chat" now={now}>
      <p className={classes['small']} id={id}>
        It needs a signing secret.
      </p>
      <NativeSelect
        label="Role of everybody who is not named"
        data={CHAT_ROLES}
        aria-describedby={id}
        value={draft.defaultRole}
        onChange={(event) => set({ defaultRole: event.currentTarget.value })}
      />
      <Textarea
        label="People"
        description="One a line: the id in the chat, and the name of the Podmend user"
        placeholder="U012AB3CD ada"
        rows={3}
        value={draft.users}
        onChange={(event) => set({ users: event.currentTarget.value })}
      />
    </Fold>
  );
}
