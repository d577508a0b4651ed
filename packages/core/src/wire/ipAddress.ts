const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/** Whether a text is an IP address: IPv4 in dotted decimals, or IPv6 (RFC 4291) without a zone or brackets. */
export const isIpAddress = (text: string): boolean =>
  V4.test(text) || (/^[0-9a-fA-F:.]{2,45}$/.test(text) && text.includes(":") && URL.canParse(`http://[${text}]`))
