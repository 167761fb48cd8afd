/** A message between processes. */
export interface ChannelMessage {
  type: string;
  /** JSON. */
  body: string;
}

/** What arrives. */
export interface ChannelListener {
  /** A message, in the order that is the same in all processes. `isOwn`: this process sent it. */
  received(message: ChannelMessage, isOwn: boolean): void;
  /** Messages of other processes may be missing up to now. */
  missed(): void;
}

/** Carries messages to all processes that do the same work, this one too. */
export interface Channel {
  /** Whether messages must go through the channel: another process may live, or earlier messages are still on their way. */
  isShared(): boolean;
  send(message: ChannelMessage): void;
  /** Resolves when everything that was sent before is on its way to the others, or cannot be. Never rejects. */
  settled(): Promise<void>;
  /** Starts listening. Resolves once every other process knows about this one, or after a few seconds at most. Never rejects. */
  start(listener: ChannelListener): Promise<void>;
}
