import type { DeviceRow } from '../tables.ts'

/** A device as clients list it; times are seconds since 1970. Addresses are not kept, so none is told. */
export function presentDevice(device: DeviceRow): object {
  const remembered = device.remembered === 1 ? 'remembered' : 'not_remembered'
  return {
    DeviceKey: device.device_key,
    DeviceAttributes: [
      { Name: 'device_status', Value: 'valid' },
      ...(device.name === null ? [] : [{ Name: 'device_name', Value: device.name }]),
      { Name: 'dev:device_remembered_status', Value: remembered },
    ],
    DeviceCreateDate: seconds(device.created_at),
    DeviceLastModifiedDate: seconds(device.updated_at),
    DeviceLastAuthenticatedDate: seconds(device.signed_in_at),
  }
}

function seconds(iso: string): number {
  return new Date(iso).getTime() / 1000
}
