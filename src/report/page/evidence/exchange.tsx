import type { ComponentChildren, VNode } from 'preact';
import type { Exchange } from '../../../spec/exchange.ts';
import { cut } from '../../../text/text.ts';
import { answerText } from '../../analysis/evidence-text.ts';
import { formatDuration } from '../../model/labels.ts';
import { Block } from '../view/hidden.ts';
import { Fold } from '../view/parts.tsx';

/** Longest header shown. */
const HEADER = 600;

function Headers({ title, headers }: { title: string; headers: Record<string, string> }): VNode {
  const lines = Object.entries(headers).map(([name, value]) => cut(`${name}: ${value}`, HEADER));
  return (
    <Fold title={`${title} headers (${lines.length})`}>
      <pre>
        <Block text={lines.join('\n')} />
      </pre>
    </Fold>
  );
}

/** True when the target's clock is off by more than `Date`, in whole seconds, and the network explain. */
export const clocksDiffer = ({ skewMs }: Exchange): boolean => Math.abs(skewMs) > 2_000;

/** Time, key and attempt of an exchange. */
export function sentWords(exchange: Exchange): string {
  const { sentAt, skewMs, role, key, attempt } = exchange;
  const atTarget = new Date(sentAt + skewMs).toISOString();
  return [
    new Date(sentAt).toISOString(),
    ...(clocksDiffer(exchange) ? [`${atTarget} by the target's clock`] : []),
    role === 'none' ? 'without a key' : `with key ${key ?? role}`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ].join(', ');
}

interface SentProps {
  readonly exchange: Exchange;
  /** Buttons. */
  readonly tools?: ComponentChildren;
  /** The body of the response. */
  readonly children: ComponentChildren;
}

/** Request and response; the caller renders the body. */
export function Sent({ exchange, tools = null, children }: SentProps): VNode {
  const { request, response } = exchange;
  return (
    <div class="panel">
      <pre class="request">{`${request.method} ${request.url}`}</pre>
      <Headers title="Request" headers={request.headers} />
      {tools}
      {response === null ? (
        <p class="failed">{answerText(exchange)}</p>
      ) : (
        <>
          <p>
            <strong>{`Status ${response.status}`}</strong>
            {`, ${response.bytes} bytes${response.truncated === true ? ' (truncated when recorded)' : ''}, ${formatDuration(exchange.receivedAt - exchange.sentAt)}`}
          </p>
          <Headers title="Response" headers={response.headers} />
          {children}
        </>
      )}
    </div>
  );
}
