import { Counter, Histogram, Registry } from 'prom-client';
import type { Gateway } from '../gateway.ts';

/** What the gateway counts. Labels have no value of a request: the names of routes, operations and codes are few. */
export function createMetrics(gateway: Gateway) {
  const registers = [new Registry()];
  const [registry = new Registry()] = registers;
  const requests = new Histogram({
    ...{ name: 'telephony_gateway_request_seconds', help: 'Requests to the gateway.', registers },
    labelNames: ['method', 'route', 'status'],
  });
  const problems = new Counter({
    ...{ name: 'telephony_gateway_problems_total', help: 'Problems by their code.', registers },
    labelNames: ['code'],
  });
  const service = new Histogram({
    ...{ name: 'telephony_service_request_seconds', help: 'Attempts at the service.', registers },
    labelNames: ['operation', 'status'],
  });
  gateway.onRequest = ({ operation, status, durationMs }) =>
    service.observe({ operation, status: status ?? 'none' }, durationMs / 1_000);
  return { registry, requests, problems };
}
