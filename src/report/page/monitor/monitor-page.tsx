import type { MonitorHistory } from '../../model/monitor-history.ts';
import { MonitorBody, MonitorHead } from './monitor.tsx';
import { assets } from '../assets.ts';
import { styleElement } from '../code.ts';
import { renderView } from '../render.ts';

/**
 * Renders the page of a monitor, without a script. It links to the reports of its runs.
 * @throws ReportAppMissing when the style was not built
 */
export function renderMonitorPage(history: MonitorHistory): string {
  const css = styleElement(assets().style);
  const policy = [
    "default-src 'none'",
    `style-src ${css.source}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const head = renderView(() => <MonitorHead history={history} policy={policy} />);
  const body = renderView(() => <MonitorBody history={history} />);
  return `<!doctype html>
<html lang="en">
<head>
${head}
${css.element}
</head>
<body>
${body}
</body>
</html>
`;
}
