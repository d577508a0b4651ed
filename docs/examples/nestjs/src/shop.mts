import { Body, Controller, Inject, Module, Post } from "@nestjs/common"
import type { BeforeApplicationShutdown } from "@nestjs/common"
import { HttpAdapterHost } from "@nestjs/core"
import { paymux } from "./paymux.mts"

@Controller("orders")
class Orders {
  @Post()
  create(@Body() { item }: { item: string }) {
    return { ordered: item }
  }
}

@Module({ controllers: [Orders] })
export class Shop implements BeforeApplicationShutdown {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  /** Before Nest stops its server, which the event stream of a payment page would keep open. */
  beforeApplicationShutdown() {
    return paymux.close({ server: this.#host.httpAdapter.getHttpServer() })
  }
}
