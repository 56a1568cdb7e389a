import type { ServiceSummary } from '../control/summary.ts';
import type { Fault } from '../faults/fault-board.ts';
import { faultKinds } from '../faults/fault-board.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';

const titles: Record<string, string> = {
  sui: 'Sui full node',
  archive: 'Sui archive',
  market: 'Marketplace',
  prices: 'Prices',
  pricesFallback: 'Prices, fallback',
  telegram: 'Telegram',
  discord: 'Discord',
  discordGateway: 'Discord, gateway',
};

function faultText(fault: Fault): string {
  const details = [
    fault.operation,
    fault.about && `about the ${fault.about}`,
    fault.times !== undefined && `${fault.times} more calls`,
    fault.delayMs !== undefined && `${fault.delayMs} ms`,
    fault.retryAfterSeconds !== undefined && `retry after ${fault.retryAfterSeconds} s`,
  ].filter((detail) => typeof detail === 'string');
  return details.length > 0 ? `${fault.kind} (${details.join(', ')})` : fault.kind;
}

/** The live part of a service's card. */
export function serviceState(service: ServiceSummary): Html {
  const broken = service.faults.length > 0;
  return html`
    <p class="state ${broken ? 'state-broken' : 'state-well'}">
      ${broken ? `Broken: ${service.faults.map(faultText).join(', ')}` : 'Answers'}
      ${service.latencyMs > 0 && ` · delayed by ${service.latencyMs} ms`}
    </p>
    <p class="quiet figures">
      ${service.count} calls · ${service.inFlight} in progress · at most ${service.maxInFlight} at once
    </p>
  `;
}

export function serviceSection(services: readonly ServiceSummary[], urls: Readonly<Record<string, string>>): Html {
  return html`
    <section aria-labelledby="services">
      <h2 id="services">Services</h2>
      <ul class="cards">
        ${services.map(
          (service) => html`
            <li class="slab">
              <h3>${titles[service.name] ?? service.name}</h3>
              <p class="address">${urls[service.name] ?? ''}</p>
              <div data-live="service-${service.name}">${serviceState(service)}</div>
              ${breakForm(service.name)}
              <div class="row">
                <form data-command="latency">
                  <input type="hidden" name="service" value="${service.name}" />
                  <label
                    >Delay, ms <input name="latencyMs" data-number value="100" inputmode="numeric" required
                  /></label>
                  <button>Delay</button>
                </form>
                <form data-command="faults/clear">
                  <input type="hidden" name="service" value="${service.name}" />
                  <button class="mend">Mend</button>
                </form>
              </div>
            </li>
          `,
        )}
      </ul>
    </section>
  `;
}

function breakForm(service: string): Html {
  return html`
    <form data-command="faults" class="row">
      <input type="hidden" name="service" value="${service}" />
      <label>
        Fault
        <select name="kind">
          ${faultKinds.map((kind) => html`<option>${kind}</option>`)}
        </select>
      </label>
      <label>Calls <input name="times" data-number placeholder="all" inputmode="numeric" /></label>
      <button class="break">Break</button>
    </form>
  `;
}
